// The key that `cli trigger` acts with, since routes are for keys. Nobody has its text, so nobody
// else can use it; the audit log shows who acted.

import { services } from '../../app/services.ts'
import type { KeyActor } from '../../kernel/auth/actor.ts'
import { listApiKeys } from '../../kernel/auth/api-key-store.ts'
import { issueApiKey } from '../../kernel/auth/issue-api-key.ts'
import { listOwners } from '../../kernel/auth/membership-store.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { KeyRoute } from '../../kernel/http/route.ts'
import { parseJson } from '../../kernel/money/exact-number.ts'
import type { ServiceContext } from '../../kernel/operations/service-context.ts'
import { UsageError } from '../core/command.ts'

const keyName = 'cli trigger'

export async function findTriggerKey(
  context: ServiceContext,
  tenant: Tenant,
  serviceName: string,
): Promise<KeyActor> {
  const { businessId, environment } = tenant
  const service = assertDefined(
    services.find(({ name }) => name === serviceName),
    'a service that there is',
  )
  const keys = await listApiKeys(context.database.sql, businessId)
  const known = keys.find(
    (key) =>
      key.name === keyName &&
      key.service === serviceName &&
      key.environment === environment &&
      key.revokedAt === null,
  )
  const key = known ?? (await issue(context, tenant, service))
  const scopes = new Set(service.scopes)
  return { kind: 'key', businessId, environment, keyId: key.id, createdBy: key.createdBy, scopes }
}

async function issue(context: ServiceContext, tenant: Tenant, service: (typeof services)[number]) {
  const [owner] = await listOwners(context.database.sql, tenant.businessId)
  if (!owner) throw new UsageError('the business has no owner, who would answer for the key')
  const actor = { ...tenant, kind: 'system', name: keyName } as const
  return context.database.transaction((tx) =>
    issueApiKey(tx, context, actor, service, {
      name: keyName,
      environment: tenant.environment,
      scopes: service.scopes,
      createdBy: owner.personId,
    }),
  )
}

export type RouteCall = { params?: object; query?: object; body?: object }

// What the router does after it has authenticated; the answer is the body.
export async function callRoute<Context extends ServiceContext>(
  route: KeyRoute<Context>,
  context: Context,
  actor: KeyActor,
  { params, query, body }: RouteCall,
): Promise<Record<string, unknown>> {
  const answer = await route.handle(context, {
    actor,
    requestId: context.ids.uuid(),
    params: route.params?.parse(params),
    query: route.query?.parse(query ?? {}),
    headers: route.headers?.parse({}),
    // As text first, since amounts keep their digits from there.
    body: route.body?.parse(parseJson(JSON.stringify(body ?? {}))),
  })
  if (!('body' in answer)) throw new Error(`${route.operationId} answers piece by piece`)
  return answer.body as Record<string, unknown>
}
