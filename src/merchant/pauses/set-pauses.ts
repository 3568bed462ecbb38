// A pause belongs to no business, so no audit log can contain it: the rows themselves are the
// record, and are never deleted.
import { z } from 'zod'
import { actorId } from '../../kernel/auth/actor.ts'
import { brokenRule } from '../../kernel/basics/fault.ts'
import { noRoles } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { type Pause, pauseKinds, pauseReasonMax } from './pause.ts'
import { insertPause, updatePausesLifted } from './pause-store.ts'

export const setPauses = defineOperation({
  name: 'set-pauses',
  summary: 'Pause new payments, refunds or payouts of every business until an announced end',
  kind: 'write',
  input: z.strictObject({
    kinds: z.array(z.enum(pauseKinds)).min(1),
    endsAt: z.date(),
    // For the audit; callers don't see it.
    reason: z.string().max(pauseReasonMax).nullable(),
  }),
  scopes: [],
  roles: noRoles,
  async run(context, actor, { kinds, endsAt, reason }): Promise<Pause[]> {
    const now = context.clock.now()
    if (endsAt <= now) throw brokenRule('The end of a pause must be in the future.')
    const by = actorId(actor)
    const pauses = [...new Set(kinds)].map((kind): Pause => {
      const set = { setBy: by, setAt: now, liftedBy: null, liftedAt: null }
      return { id: context.ids.uuid(), kind, endsAt, reason, ...set }
    })
    context.call.changedNoBusiness()
    await context.database.transaction(async (tx) => {
      for (const pause of pauses) {
        // Replaces a current pause, which is how its end is changed.
        await updatePausesLifted(tx, pause.kind, { by, at: now })
        await insertPause(tx, pause)
      }
    })
    for (const { kind } of pauses) {
      context.log.warn({ kind, endsAt: endsAt.toISOString() }, 'a pause was set')
    }
    return pauses
  },
})
