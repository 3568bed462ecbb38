// A second business for somebody who has an account is an operation of its own, so that it is asked
// for on purpose: the address may have been mistyped, and its owner would see everything. The
// password and the second factor stay as they are.
import { z } from 'zod'
import { roles } from '../auth/actor.ts'
import { addMembership } from '../auth/add-membership.ts'
import { findPersonByEmail } from '../auth/person-store.ts'
import { Fault } from '../basics/fault.ts'
import { noRoles } from '../operations/permission.ts'
import { oneOf } from '../operations/schemas.ts'
import { type AddedPerson, requireNoMember, signInAddress } from './add-person.ts'
import { defineOperation } from './define-operation.ts'

export const addExistingPerson = defineOperation({
  name: 'add-existing-person',
  summary: 'Add somebody who has an account already to one more business',
  kind: 'write',
  input: z.strictObject({ email: signInAddress, role: oneOf(roles) }),
  scopes: [],
  roles: noRoles,
  async run(context, actor, { email, role }): Promise<AddedPerson> {
    const { businessId } = actor
    const { sql } = context.database
    await requireNoMember(sql, businessId, email)
    const known = await findPersonByEmail(sql, email)
    if (!known) throw new Fault('conflict', `Nobody has an account with ${email}.`)
    const { personId, name } = known
    await context.database.transaction(async (tx) => {
      await addMembership(tx, context, { businessId, personId, role }, actor)
    })
    return { id: personId, email, name, role }
  },
})
