// What people do about their own account is in the live audit log of each of their businesses: an
// owner of any of them may need to know.
import type { Context } from '../db/context.ts'
import type { Tx } from '../db/database.ts'
import { type Act, recordAct } from './audit-log.ts'
import { listMembershipsOfPerson } from './membership-store.ts'

export async function recordOwnAct(
  tx: Tx,
  context: Pick<Context, 'clock' | 'ids' | 'onAct'>,
  personId: string,
  act: Pick<Act, 'action' | 'detail'>,
): Promise<void> {
  for (const { businessId, role } of await listMembershipsOfPerson(tx, personId)) {
    const actor = { kind: 'person', personId, role, businessId, environment: 'live' } as const
    await recordAct(tx, context, actor, { ...act, objectKind: 'person', objectId: personId })
  }
}
