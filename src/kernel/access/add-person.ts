// Gives somebody without an account an account and a role in the business. Only the operator does
// this: whoever calls it sees the password, and could later sign in as that person in any other
// business that adds them.
import { z } from 'zod'
import { type Role, roles } from '../auth/actor.ts'
import { addMembership } from '../auth/add-membership.ts'
import { createPersonWithCredentials } from '../auth/create-person.ts'
import { findMemberByEmail } from '../auth/membership-store.ts'
import { normaliseEmail } from '../auth/person.ts'
import { findPersonByEmail } from '../auth/person-store.ts'
import { Fault } from '../basics/fault.ts'
import type { Sql } from '../db/database.ts'
import { noRoles } from '../operations/permission.ts'
import { line, oneOf } from '../operations/schemas.ts'
import { defineOperation } from './define-operation.ts'

export const signInAddress = z.string().transform((text, refinement) => {
  const email = normaliseEmail(text)
  if (email) return email
  refinement.addIssue({
    code: 'custom',
    message: 'Write an e-mail address, like name@example.com.',
  })
  return z.NEVER
})

export type AddedPerson = {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: Role
}

export const addPerson = defineOperation({
  name: 'add-person',
  summary: 'Add a new person to a business; the password is shown once',
  kind: 'write',
  input: z.strictObject({ email: signInAddress, name: line(200), role: oneOf(roles) }),
  scopes: [],
  roles: noRoles,
  async run(context, actor, { email, name, role }) {
    const { businessId } = actor
    const { sql } = context.database
    await requireNoMember(sql, businessId, email)
    const known = await findPersonByEmail(sql, email)
    if (known) throw new Fault('conflict', `${email} has an account already, of ${known.name}.`)
    const person = { email, name }
    const { personId, password, totpSecret } = await createPersonWithCredentials(
      context,
      context.secrets,
      person,
      (tx, id) => addMembership(tx, context, { businessId, personId: id, role }, actor),
    )
    const added: AddedPerson = { id: personId, ...person, role }
    return { ...added, password, totpSecret }
  },
})

export async function requireNoMember(sql: Sql, businessId: string, email: string): Promise<void> {
  if (!(await findMemberByEmail(sql, businessId, email))) return
  throw new Fault('conflict', `${email} belongs to the business already.`)
}
