// What is known of deliveries that were claimed, beside what the queue says of them.
import type { Sql } from '../db/database.ts'
import type { Claim } from './claim-store.ts'

// What has neither arrived nor is on its way: held until its endpoint is on again, dead-lettered
// after its last attempt, or ended with its endpoint.
export type StoppedAs = 'held' | 'dead_lettered' | 'ended'

// Whom a delivery is for.
export type Addressee = {
  readonly service: string
  readonly url: string
  readonly secretSealed: Buffer
  readonly oldSecretSealed: Buffer | null
  readonly oldSecretUntil: Date | null
  readonly state: 'on' | 'off' | 'deleted'
}

type Past = {
  readonly stoppedAs: StoppedAs | null
  readonly attempts: number
  readonly scheduledAttempts: number
}

export type Claimed = Claim & Past & { readonly addressee: Addressee }

const untried: Past = { stoppedAs: null, attempts: 0, scheduledAttempts: 0 }

// With whom they are for and what came of them before. After the claims and not with them: what
// another worker has logged last must be seen, and each endpoint need be read only once.
export async function listClaimed(sql: Sql, claims: readonly Claim[]): Promise<Claimed[]> {
  const [addressees, pasts] = await Promise.all([
    findAddressees(sql, claims),
    findPasts(
      sql,
      claims.filter(({ isTried }) => isTried),
    ),
  ])
  return claims.flatMap((claim) => {
    const addressee = addressees.get(claim.endpointId)
    // One for nobody, of which the invariants tell, must not hold up the others.
    if (!addressee) return []
    return Object.assign(claim, pasts.get(claim.deliveryId) ?? untried, { addressee })
  })
}

async function findAddressees(sql: Sql, claims: readonly Claim[]): Promise<Map<string, Addressee>> {
  const endpoints = new Map(claims.map((claim) => [claim.endpointId, claim]))
  const rows = await sql<(Addressee & { endpointId: string })[]>`
    select endpoint.id as endpoint_id, endpoint.service, endpoint.url, endpoint.secret_sealed,
      endpoint.old_secret_sealed, endpoint.old_secret_until, endpoint.state
    from jsonb_to_recordset(${sql.json([...endpoints.values()].map(keyOf))})
      as given (business_id uuid, environment text, endpoint_id uuid)
    join kernel.webhook_endpoints endpoint
      on endpoint.business_id = given.business_id
      and endpoint.environment = given.environment
      and endpoint.id = given.endpoint_id`
  return new Map(rows.map((row) => [row.endpointId, row]))
}

// Most were never tried, and nothing is asked about those.
async function findPasts(sql: Sql, claims: readonly Claim[]): Promise<Map<string, Past>> {
  if (claims.length === 0) return new Map()
  const rows = await sql<(Past & { deliveryId: string })[]>`
    select delivery.id as delivery_id, delivery.stopped_as, log.attempts, log.scheduled_attempts
    from jsonb_to_recordset(${sql.json(claims.map(keyOf))})
      as given (business_id uuid, environment text, delivery_id uuid)
    join kernel.webhook_deliveries delivery
      on delivery.business_id = given.business_id
      and delivery.environment = given.environment
      and delivery.id = given.delivery_id
    cross join lateral (
      select count(*)::integer as attempts,
        (count(*) filter (where not is_manual))::integer as scheduled_attempts
      from kernel.webhook_attempts attempt
      where attempt.business_id = delivery.business_id
        and attempt.environment = delivery.environment
        and attempt.delivery_id = delivery.id
    ) as log`
  return new Map(rows.map((row) => [row.deliveryId, row]))
}

function keyOf({ businessId, environment, endpointId, deliveryId }: Claim) {
  return {
    business_id: businessId,
    environment,
    endpoint_id: endpointId,
    delivery_id: deliveryId,
  }
}
