// Adding a person with an account to another business is a separate operation, so that it happens
// on purpose: the address may be mistyped, and its owner would see everything. The password and the
// second factor stay as they are.
import { z } from 'zod'
import { inLive, roles } from '../auth/actor.ts'
import { findPersonByEmail } from '../auth/person-store.ts'
import { Fault } from '../basics/fault.ts'
import { noRoles } from '../operations/permission.ts'
import { oneOf } from '../operations/schemas.ts'
import { signInAddress } from '../operations/sign-in-address.ts'
import { addMember } from './add-member.ts'
import { type AddedPerson, requireNoMember } from './add-person.ts'
import { type RequestConfirmation, withoutConfirmation } from './confirmation.ts'
import { defineOperation } from './define-operation.ts'

export function addExistingPersonOperation(requestConfirmation: RequestConfirmation) {
  return defineOperation({
    name: 'add-existing-person',
    summary: 'Add a person who already has an account to a business',
    kind: 'write',
    input: z.strictObject({ email: signInAddress, role: oneOf(roles), withoutConfirmation }),
    scopes: [],
    roles: noRoles,
    async run(context, caller, { email, role, withoutConfirmation: isWaived }) {
      const actor = inLive(caller)
      const { sql } = context.database
      await requireNoMember(sql, actor.businessId, email)
      const known = await findPersonByEmail(sql, email)
      if (!known) throw new Fault('conflict', `There is no account with ${email}.`)
      const wanted = { role, isWaived, requestConfirmation }
      const membership = await context.database.transaction((tx) =>
        addMember(tx, context, actor, { ...known, email }, wanted),
      )
      const { personId, name } = known
      const added: AddedPerson = { id: personId, email, name, ...membership }
      return added
    },
  })
}
