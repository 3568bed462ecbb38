// Moves the lock dates. The head of the journal is locked first, as whoever posts does: an entry
// that is being posted is either in the books before the lock, or sees it.
import { z } from 'zod'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { invalidField, permissionDenied } from '../../kernel/basics/fault.ts'
import { adminRoles } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { changedFields } from '../input/changed-fields.ts'
import { bookDay } from '../input/day-input.ts'
import { lockHead } from '../journal/journal-store.ts'
import { type Organisation, today } from './organisation.ts'
import { lockOrganisation, updateOrganisation } from './organisation-store.ts'

// Null takes the soft lock away; the hard one is never taken away.
const lockDatesInput = z
  .strictObject({ softLockedUntil: bookDay().nullable(), hardLockedUntil: bookDay() })
  .partial()

export const setLockDates = defineOperation({
  name: 'set-lock-dates',
  summary: 'Lock the books up to a day',
  kind: 'write',
  input: lockDatesInput,
  scopes: [],
  roles: adminRoles,
  async run(context, actor, wanted): Promise<Organisation> {
    if (wanted.hardLockedUntil !== undefined && actor.kind === 'person' && actor.role !== 'owner') {
      throw permissionDenied(
        'Only an owner may lock the books for everybody, since it is for ever.',
      )
    }
    return context.database.transaction(async (tx) => {
      await lockHead(tx, actor)
      const organisation = await lockOrganisation(tx, actor)
      const changes = changedFields(organisation, wanted)
      if (Object.keys(changes).length === 0) {
        context.call.nothingChanged()
        return organisation
      }
      requireForward(organisation, changes.hardLockedUntil, context.clock.now())
      await updateOrganisation(tx, actor, changes)
      await recordAct(tx, context, actor, {
        action: 'organisation.lock',
        objectKind: 'organisation',
        objectId: actor.businessId,
        detail: changes,
      })
      return { ...organisation, ...changes }
    })
  },
})

// A day to come would keep everybody from posting until it is over, and could not be taken back.
function requireForward(organisation: Organisation, until: string | undefined, now: Date): void {
  if (until === undefined) return
  const { hardLockedUntil } = organisation
  if (hardLockedUntil !== null && until < hardLockedUntil) {
    throw invalidField(
      'hardLockedUntil',
      `The books are locked for ever up to ${hardLockedUntil}. The lock only moves forward.`,
    )
  }
  if (until >= today(organisation, now)) {
    throw invalidField('hardLockedUntil', 'Must be a day that is over.')
  }
}
