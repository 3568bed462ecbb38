// Who can approve is as important as what is approved: a role that approves, and the reset of
// someone's second factor, need the confirmation of an owner who neither asks for it nor is the
// person that it is about. Where there is such an owner, it waits as an approval of the business.
// The operator, who has the database anyway, can do without; the owners are mailed in any case.
import { z } from 'zod'
import type { Actor } from '../auth/actor.ts'
import { lockBusiness } from '../auth/business-store.ts'
import {
  findMember,
  listMembershipsOfPerson,
  listOwners,
  type Member,
} from '../auth/membership-store.ts'
import { Fault, notFound, permissionDenied } from '../basics/fault.ts'
import type { Tx } from '../db/database.ts'
import type { ServiceContext } from '../operations/service-context.ts'

export type Confirmable = {
  readonly operation: 'role' | 'second_factor'
  // The person that it is about.
  readonly objectId: string
  readonly request: Readonly<Record<string, string | null>>
}

// Records the request and returns the id of the approval. Approvals are above the kernel.
export type RequestConfirmation = (
  tx: Tx,
  context: ServiceContext,
  actor: Actor,
  wanted: Confirmable,
) => Promise<string>

// The field of operations that may need a confirmation.
export const withoutConfirmation = z.boolean().default(false)

export async function needsConfirmation(
  tx: Tx,
  actor: Actor,
  personId: string,
  isWaived: boolean,
): Promise<boolean> {
  if (isWaived && actor.kind === 'system') return false
  if (isWaived) throw permissionDenied('Only the operator of this server can do this at once.')
  const askedBy = actor.kind === 'person' ? actor.personId : undefined
  const owners = await listOwners(tx, actor.businessId)
  return owners.some((owner) => owner.personId !== personId && owner.personId !== askedBy)
}

// Concurrent changes of a business's people happen one after the other: of two owners who remove
// each other, one stays.
export async function lockMember(tx: Tx, businessId: string, personId: string): Promise<Member> {
  await lockBusiness(tx, businessId)
  const member = await findMember(tx, businessId, personId)
  if (!member) throw notFound('member')
  return member
}

export async function requireOtherOwner(
  tx: Tx,
  businessId: string,
  personId: string,
): Promise<void> {
  const owners = await listOwners(tx, businessId)
  if (owners.some((owner) => owner.personId !== personId)) return
  throw new Fault('conflict', 'A business needs an owner. Make someone else an owner first.')
}

// In My account, people prove who they are before they change their own password or second factor.
export function requireOtherPerson(actor: Actor, personId: string): void {
  if (actor.kind !== 'person' || actor.personId !== personId) return
  throw permissionDenied('This is your own account. Change it in My account.')
}

// A password or second factor opens every business of a person, so an owner of one must not decide
// about a person who also works for another.
export async function requireOnlyHere(tx: Tx, actor: Actor, { personId }: Member): Promise<void> {
  if (actor.kind === 'system') return
  const memberships = await listMembershipsOfPerson(tx, personId)
  if (memberships.every(({ businessId }) => businessId === actor.businessId)) return
  throw permissionDenied(
    'This person belongs to another business too. Only the operator of this server can do this.',
  )
}
