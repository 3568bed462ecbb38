import { z } from 'zod'
import { createEndpoint, urlMax } from '../../kernel/endpoints/manage-endpoints.ts'
import { ok } from '../../kernel/http/route.ts'
import { describedAs } from '../../kernel/operations/schemas.ts'
import { defineHandledRoute } from '../context.ts'
import { presentWebhook, webhookSchema } from './webhook.ts'
import { merchantWebhooks } from './webhook-profile.ts'

const webhookInput = z.strictObject({
  url: describedAs(z.string().max(urlMax, { error: `At most ${urlMax} characters.` }), {
    type: 'string',
    format: 'uri',
    maxLength: urlMax,
  }),
})

export const createWebhook = defineHandledRoute({
  method: 'POST',
  path: '/webhooks',
  operationId: 'createWebhook',
  tag: 'Webhooks',
  summary: 'Register a webhook endpoint',
  description:
    'The address must be `https://`, be on the public internet, and have no user name or password ' +
    'in it. The secret that signs what is sent there is shown in this answer only. An address that ' +
    'is registered already becomes one more endpoint, and is told of everything once for each.',
  scopes: ['webhooks:manage'],
  body: webhookInput,
  responses: {
    200: {
      description: 'The new endpoint, with its secret.',
      schema: webhookSchema.extend({ secret: z.string() }),
    },
  },
  async handle(context, { actor, body: { url } }) {
    const settings = { url, eventTypes: null }
    const { endpoint, secret } = await createEndpoint(context, actor, merchantWebhooks, settings)
    return ok({ ...presentWebhook(endpoint, actor), secret })
  },
})
