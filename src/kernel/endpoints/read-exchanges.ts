// What was sent in an attempt and the start of what was answered. Only those who manage endpoints
// see it: the receiver decides what its response contains.
import type { Actor } from '../auth/actor.ts'
import { adminRoles, mayCall } from '../operations/permission.ts'
import type { ServiceContext } from '../operations/service-context.ts'
import type { Exchange, LoggedExchange, StoredAttempt } from '../webhooks/delivery.ts'
import { openSecrets, requestOfAttempt } from '../webhooks/delivery-request.ts'
import { type EndpointSecrets, findEndpointSecrets } from '../webhooks/endpoint-secret-store.ts'
import type { WebhookProfile } from '../webhooks/profile.ts'

type Reader = Pick<ServiceContext, 'database' | 'secrets'>

// The attempts are all of one endpoint.
export async function readExchanges(
  { database, secrets }: Reader,
  actor: Actor,
  profile: WebhookProfile,
  manageScopes: readonly string[],
  attempts: readonly StoredAttempt[],
): Promise<LoggedExchange[]> {
  const [first] = attempts
  const mayRead = mayCall({ scopes: manageScopes, roles: adminRoles }, actor)
  const sealed =
    mayRead && first ? await findEndpointSecrets(database.sql, actor, first.endpointId) : undefined
  return attempts.map((attempt) => ({
    ...attempt,
    exchange: sealed ? exchangeOf({ secrets }, actor, profile, sealed, attempt) : null,
  }))
}

// A signature can be shown if the secret was not changed since. Then it is the one that was sent.
function exchangeOf(
  { secrets }: Pick<Reader, 'secrets'>,
  { businessId }: Actor,
  profile: WebhookProfile,
  sealed: EndpointSecrets,
  attempt: StoredAttempt,
): Exchange {
  const { attemptedAt, responseText } = attempt
  const event = { ...attempt, businessId }
  if (sealed.secretSince === null || sealed.secretSince < attemptedAt) {
    const signing = openSecrets(secrets, sealed, attemptedAt)
    return { ...requestOfAttempt(profile, event, signing), responseText }
  }
  const { headers, body } = requestOfAttempt(profile, event, { secret: '' })
  const hidden = { [profile.signatureHeader]: '(made with an earlier secret)' }
  return { headers: { ...headers, ...hidden }, body, responseText }
}
