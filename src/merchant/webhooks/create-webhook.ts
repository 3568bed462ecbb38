import { z } from 'zod'
import type { KeyActor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { unreachable } from '../../kernel/basics/assert.ts'
import { invalidField } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { ok } from '../../kernel/http/route.ts'
import { describedAs } from '../../kernel/http/schemas.ts'
import type { UrlProblem } from '../../kernel/webhooks/egress-url.ts'
import {
  type Endpoint,
  endpointSecretRow,
  newEndpointSecret,
} from '../../kernel/webhooks/endpoint.ts'
import { insertEndpoint } from '../../kernel/webhooks/endpoint-store.ts'
import { defineRoute, type MerchantContext } from '../context.ts'
import { presentWebhook, webhookSchema, webhookService } from './webhook.ts'

const urlMax = 500

const webhookInput = z.strictObject({
  url: describedAs(z.string().max(urlMax, { error: `At most ${urlMax} characters.` }), {
    type: 'string',
    format: 'uri',
    maxLength: urlMax,
  }),
})

export const createWebhook = defineRoute({
  method: 'POST',
  path: '/webhooks',
  operationId: 'createWebhook',
  tag: 'Webhooks',
  summary: 'Register a webhook endpoint',
  description:
    'The address must be `https://`, be on the public internet, and have no user name or password ' +
    'in it. The secret that signs what is sent there is shown in this answer only.',
  scopes: ['webhooks:manage'],
  body: webhookInput,
  responses: {
    200: {
      description: 'The new endpoint, with its secret.',
      schema: webhookSchema.extend({ secret: z.string() }),
    },
  },
  async handle(context, { actor, body }) {
    await requirePublic(context, body.url)
    const secret = newEndpointSecret(context.ids)
    const endpoint = await context.database.transaction((tx) =>
      create(tx, context, actor, body.url, secret),
    )
    return ok({ ...presentWebhook(endpoint, actor), secret })
  },
})

const vettingMs = 4000

// Where nobody can say where the name leads, the doubt is for the attempts, which ask again.
async function requirePublic({ egress }: MerchantContext, url: string): Promise<void> {
  const vetted = await egress.vet(url, AbortSignal.timeout(vettingMs))
  if (!('problem' in vetted) || vetted.problem === 'unresolved') return
  throw invalidField('url', messageOf(vetted.problem))
}

function messageOf(problem: Exclude<UrlProblem, 'unresolved'>): string {
  switch (problem) {
    case 'form':
      return 'Must be an https address without a user name or password.'
    case 'address':
      return 'Must lead to a public address.'
    case 'no_such_name':
      return 'The host name must exist.'
    default:
      return unreachable(problem)
  }
}

async function create(
  tx: Tx,
  context: MerchantContext,
  actor: KeyActor,
  url: string,
  secret: string,
): Promise<Endpoint> {
  const id = context.ids.uuid()
  const endpoint: Endpoint = {
    id,
    service: webhookService,
    url,
    eventTypes: null,
    state: 'on',
    createdAt: context.clock.now(),
  }
  const secretSealed = context.secrets.seal(secret, endpointSecretRow(id))
  await insertEndpoint(tx, actor, { ...endpoint, secretSealed })
  // The address may hold a token of the receiver's; its host is enough to recognise it.
  const detail = { host: new URL(url).host }
  await recordAct(tx, context, actor, {
    action: 'webhook.create',
    objectKind: 'webhook',
    objectId: id,
    detail,
  })
  return endpoint
}
