// Changes the lock dates. The head of the journal is locked first, as when posting: a concurrent
// entry is either posted before the lock date changes, or sees it.
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

// Null removes the soft lock date; the hard one is never removed.
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
        "Only an owner can set the hard lock date, because it can't be undone.",
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

// A future day would prevent all posting until it has passed, and could not be undone.
function requireForward(organisation: Organisation, until: string | undefined, now: Date): void {
  if (until === undefined) return
  const { hardLockedUntil } = organisation
  if (hardLockedUntil !== null && until < hardLockedUntil) {
    throw invalidField(
      'hardLockedUntil',
      `The hard lock date is ${hardLockedUntil} and can only move forward.`,
    )
  }
  if (until >= today(organisation, now)) {
    throw invalidField('hardLockedUntil', 'Must be a past day.')
  }
}
