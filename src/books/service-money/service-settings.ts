// Whether and how the money of the payment service is booked by itself.
import { addSeconds } from '../../kernel/basics/clock.ts'
import { lowestUuidAt } from '../../kernel/basics/id.ts'

export type ServiceSettings = {
  readonly isOn: boolean
  // What moved before is left to people.
  readonly since: Date
  // How far movements were taken down; `src/bridge` says how.
  readonly lookFrom: string
  readonly nearFrom: string
  readonly lookedAt: Date
  readonly lookedBackAt: Date
  readonly unassignedAccountId: string
  readonly shareAccountId: string
  readonly payoutAccountId: string
}

// The id of an entry is made a moment before the time of it.
const marginSeconds = 60

// Nothing was taken down yet.
export function lookingFrom(
  since: Date,
  now: Date,
): Pick<ServiceSettings, 'since' | 'lookFrom' | 'nearFrom' | 'lookedAt' | 'lookedBackAt'> {
  const first = lowestUuidAt(addSeconds(since, -marginSeconds))
  return { since, lookFrom: first, nearFrom: first, lookedAt: since, lookedBackAt: now }
}

// Who posts what is booked by itself. Nobody else goes by this name: the entries of a movement are
// told by it.
export const serviceActorName = 'payment service'
