// The events that a service sends, in its OpenAPI document.
import type { Components, JsonSchema } from './openapi-schema.ts'
import type { WebhookContract } from './service.ts'

export type OpenApiWebhook = {
  post: {
    summary: string
    description: string
    parameters: { name: string; in: 'header'; description: string; schema: JsonSchema }[]
    requestBody: { required: true; content: { 'application/json': { schema: JsonSchema } } }
    responses: Record<string, { description: string }>
  }
}

export function webhooksOf(
  { signature, headers, events }: WebhookContract,
  components: Components,
): Record<string, OpenApiWebhook> {
  const parameters = Object.entries(headers).map(
    ([name, description]) =>
      ({ name, in: 'header', description, schema: { type: 'string' } }) as const,
  )
  return Object.fromEntries(
    events.map(({ type, summary, body }) => [
      type,
      {
        post: {
          summary,
          description: signature,
          parameters,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: components.describe(body, eventName(type)) } },
          },
          responses: { '2XX': { description: 'Any 2xx confirms it; everything else is retried.' } },
        },
      },
    ]),
  )
}

// `payment.succeeded` is the PaymentSucceededEvent.
function eventName(type: string): string {
  const words = type.split('.').map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return `${words.join('')}Event`
}
