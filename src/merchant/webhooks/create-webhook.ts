import { z } from 'zod'
import { urlMax } from '../../kernel/endpoints/manage-endpoints.ts'
import { ok } from '../../kernel/http/route.ts'
import { describedAs } from '../../kernel/operations/schemas.ts'
import { defineRoute } from '../context.ts'
import { presentWebhook, webhookSchema } from './webhook.ts'
import { merchantEndpoints } from './webhook-operations.ts'

const webhookInput = z.strictObject({
  url: describedAs(z.string().max(urlMax, { error: `At most ${urlMax} characters.` }), {
    type: 'string',
    format: 'uri',
    maxLength: urlMax,
    example: 'https://shop.example.com/webhooks',
  }),
})

export const createWebhookRoute = defineRoute({
  operation: merchantEndpoints.createEndpoint,
  method: 'POST',
  path: '/webhooks',
  operationId: 'createWebhook',
  tag: 'Webhooks',
  description:
    'The address must be `https://`, be on the public internet, and have no user name or password ' +
    'in it. The secret that signs its events is shown only in this response. An address that ' +
    'is already registered becomes one more endpoint, and receives each event once per endpoint.',
  body: webhookInput,
  responses: {
    200: {
      description: 'The new endpoint, with its secret.',
      schema: webhookSchema.extend({ secret: z.string() }),
    },
  },
  input: ({ body: { url } }) => ({ url, eventTypes: null }),
  answer: ({ secret, ...endpoint }, _context, { actor }) =>
    ok({ ...presentWebhook(endpoint, actor), secret }),
})
