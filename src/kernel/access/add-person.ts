// Gives a new person an account and a role in the business. Only the operator can do this: the
// caller sees the password, and could later sign in as that person in any other business that adds
// them.
import { z } from 'zod'
import { inLive, type Role, roles } from '../auth/actor.ts'
import { createPersonWithCredentials } from '../auth/create-person.ts'
import { findMemberByEmail } from '../auth/membership-store.ts'
import { findPersonByEmail } from '../auth/person-store.ts'
import { Fault } from '../basics/fault.ts'
import type { Sql } from '../db/database.ts'
import { noRoles } from '../operations/permission.ts'
import { line, oneOf } from '../operations/schemas.ts'
import { signInAddress } from '../operations/sign-in-address.ts'
import { addMember } from './add-member.ts'
import { type RequestConfirmation, withoutConfirmation } from './confirmation.ts'
import { defineOperation } from './define-operation.ts'

export type AddedPerson = {
  readonly id: string
  readonly email: string
  readonly name: string
  // The role that holds now; with an approval, another one waits for an owner.
  readonly role: Role
  readonly approvalId: string | null
}

export function addPersonOperation(requestConfirmation: RequestConfirmation) {
  return defineOperation({
    name: 'add-person',
    summary: 'Add a new person to a business; shows the password once',
    kind: 'write',
    input: z.strictObject({
      email: signInAddress,
      name: line(200),
      role: oneOf(roles),
      withoutConfirmation,
    }),
    scopes: [],
    roles: noRoles,
    async run(context, caller, { email, name, role, withoutConfirmation: isWaived }) {
      const actor = inLive(caller)
      const { sql } = context.database
      await requireNoMember(sql, actor.businessId, email)
      const known = await findPersonByEmail(sql, email)
      if (known)
        throw new Fault('conflict', `${email} already has an account, named ${known.name}.`)
      const wanted = { role, isWaived, requestConfirmation }
      let membership: Pick<AddedPerson, 'role' | 'approvalId'> = { role, approvalId: null }
      const { personId, ...credentials } = await createPersonWithCredentials(
        context,
        context.secrets,
        { email, name },
        async (tx, id) => {
          const person = { personId: id, email, name, hasSecondFactor: true }
          membership = await addMember(tx, context, actor, person, wanted)
        },
      )
      const added: AddedPerson = { id: personId, email, name, ...membership }
      return { ...added, ...credentials }
    },
  })
}

export async function requireNoMember(sql: Sql, businessId: string, email: string): Promise<void> {
  if (!(await findMemberByEmail(sql, businessId, email))) return
  throw new Fault('conflict', `${email} is already a member of the business.`)
}
