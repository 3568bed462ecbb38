import { z } from 'zod'
import { actorId } from '../../kernel/auth/actor.ts'
import { noRoles } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { type PauseKind, pauseKinds } from './pause.ts'
import { updatePausesLifted } from './pause-store.ts'

// False if the kind was not paused.
export type LiftedPause = { readonly kind: PauseKind; readonly isLifted: boolean }

export const liftPauses = defineOperation({
  name: 'lift-pauses',
  summary: 'End pauses early',
  kind: 'write',
  input: z.strictObject({ kinds: z.array(z.enum(pauseKinds)).min(1) }),
  scopes: [],
  roles: noRoles,
  async run(context, actor, { kinds }): Promise<LiftedPause[]> {
    const lifting = { by: actorId(actor), at: context.clock.now() }
    context.call.changedNoBusiness()
    const lifted = await context.database.transaction(async (tx) => {
      const results: LiftedPause[] = []
      for (const kind of new Set(kinds)) {
        const count = await updatePausesLifted(tx, kind, lifting)
        results.push({ kind, isLifted: count > 0 })
      }
      return results
    })
    for (const { kind, isLifted } of lifted) {
      if (isLifted) context.log.warn({ kind }, 'a pause was lifted')
    }
    return lifted
  },
})
