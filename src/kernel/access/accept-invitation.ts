// Opens the link of an invitation. A new person chooses a name and a password; someone who has an
// account joins with it, signed in. The role is given in the name of the inviter, so a role that
// can approve waits for another owner like any other. If the inviter may no longer invite, the
// invitation counts for nothing.
import type { PersonActor, Role } from '../auth/actor.ts'
import { findBusiness } from '../auth/business-store.ts'
import { createPerson } from '../auth/create-person.ts'
import {
  deleteInvitation,
  findInvitation as findOpen,
  type OpenInvitation,
} from '../auth/invitation-store.ts'
import { linkTokenHash } from '../auth/link-token.ts'
import { grantsApproval } from '../auth/membership.ts'
import { findMember, type Member } from '../auth/membership-store.ts'
import type { Session } from '../auth/person.ts'
import { findPersonByEmail } from '../auth/person-store.ts'
import { recordOwnAct } from '../auth/record-own-act.ts'
import { Fault, permissionDenied } from '../basics/fault.ts'
import { isUuid } from '../basics/id.ts'
import type { Sql, Tx } from '../db/database.ts'
import type { ServiceContext } from '../operations/service-context.ts'
import { addMember } from './add-member.ts'
import { requireNoMember } from './add-person.ts'
import type { RequestConfirmation } from './confirmation.ts'

export type InvitationLink = { readonly businessId: string; readonly token: string }

export type FoundInvitation = {
  readonly email: string
  readonly role: Role
  readonly businessName: string
  readonly inviterName: string
  // The person joins with the account that they have.
  readonly hasAccount: boolean
}

export type Invitations = {
  find(context: ServiceContext, link: InvitationLink): Promise<FoundInvitation | undefined>
  // Creates the account; undefined if the link no longer works.
  acceptAsNew(
    context: ServiceContext,
    link: InvitationLink,
    person: { readonly name: string; readonly password: string },
  ): Promise<{ email: string } | undefined>
  acceptAs(
    context: ServiceContext,
    link: InvitationLink,
    session: Session,
  ): Promise<{ email: string } | undefined>
}

export function createInvitations(requestConfirmation: RequestConfirmation): Invitations {
  return {
    find,
    async acceptAsNew(context, link, { name, password }) {
      const found = await findUsable(context, context.database.sql, link)
      if (!found) return undefined
      const { email } = found.invitation
      await createPerson(context, context.secrets, { email, name, password }, (tx, personId) =>
        join(tx, context, found, { personId, email, name, hasSecondFactor: false }),
      )
      return { email }
    },
    async acceptAs(context, link, { personId, email, name, secondFactor }) {
      const found = await findUsable(context, context.database.sql, link)
      if (!found) return undefined
      if (found.invitation.email !== email) {
        throw permissionDenied(`This invitation is for ${found.invitation.email}.`)
      }
      await requireNoMember(context.database.sql, link.businessId, email)
      const hasSecondFactor = secondFactor === 'proven'
      await context.database.transaction((tx) =>
        join(tx, context, found, { personId, email, name, hasSecondFactor }),
      )
      return { email }
    },
  }

  async function join(
    tx: Tx,
    context: ServiceContext,
    { invitation: { id, role }, inviter }: Usable,
    person: Omit<Member, 'role'>,
  ): Promise<void> {
    // Another request was faster.
    if (!(await deleteInvitation(tx, inviter.businessId, id))) {
      throw new Fault('conflict', 'This invitation was used already.')
    }
    const wanted = { role, isWaived: false, requestConfirmation }
    await addMember(tx, context, inviter, person, wanted)
    await recordOwnAct(tx, context, person.personId, {
      action: 'person.accept_invitation',
      detail: { role },
    })
  }
}

async function find(
  context: ServiceContext,
  link: InvitationLink,
): Promise<FoundInvitation | undefined> {
  const { sql } = context.database
  const found = await findUsable(context, sql, link)
  if (!found) return undefined
  const { email, role, inviterName } = found.invitation
  const businessName = (await findBusiness(sql, link.businessId))?.name ?? ''
  const hasAccount = (await findPersonByEmail(sql, email)) !== undefined
  return { email, role, inviterName, businessName, hasAccount }
}

type Usable = { readonly invitation: OpenInvitation; readonly inviter: PersonActor }

async function findUsable(
  { clock }: ServiceContext,
  sql: Sql | Tx,
  { businessId, token }: InvitationLink,
): Promise<Usable | undefined> {
  if (!isUuid(businessId)) return undefined
  const invitation = await findOpen(sql, businessId, linkTokenHash(token), clock.now())
  if (!invitation) return undefined
  const member = await findMember(sql, businessId, invitation.invitedBy)
  if (!member || !mayInvite(member.role, invitation.role)) return undefined
  const { personId, role } = member
  const inviter = { kind: 'person', personId, role, businessId, environment: 'live' } as const
  return { invitation, inviter }
}

function mayInvite(inviterRole: Role, role: Role): boolean {
  return inviterRole === 'owner' || (inviterRole === 'admin' && !grantsApproval(role, null))
}
