// What is registered at the simulator is unknown to a real provider: split recipients have to be
// registered again, and a business that only the simulated verifier has verified is not verified.
// Saved cards are compared at each charge. Runs at every start with a real provider, before anyone
// is served, because databases from before this rule were separated without it.
import { recordAct } from '../../kernel/auth/audit-log.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { MerchantContext } from '../context.ts'
import { updateOwnersVerified } from '../verification/dossier-store.ts'
import {
  listSimulatedRegistrations,
  updateRecipientsUnregistered,
  updateSimulatedVerification,
} from './registration-store.ts'

export async function closeRegistrations(context: MerchantContext): Promise<void> {
  const { database, log } = context
  for (const businessId of await listSimulatedRegistrations(database.sql)) {
    const tenant = { businessId, environment: 'live' } as const
    await database.transaction((tx) => closeBusiness(tx, context, tenant))
    log.warn({ businessId }, 'what the simulator registered or verified no longer counts')
  }
}

async function closeBusiness(tx: Tx, context: MerchantContext, tenant: Tenant): Promise<void> {
  const now = context.clock.now()
  const recipientIds = await updateRecipientsUnregistered(tx, tenant, now)
  const wasVerified = await updateSimulatedVerification(tx, tenant, now)
  if (wasVerified) await updateOwnersVerified(tx, tenant, null)
  const actor = { ...tenant, kind: 'system', name: 'close the simulator' } as const
  await recordAct(tx, context, actor, {
    action: 'provider.close_registrations',
    objectKind: 'business',
    objectId: tenant.businessId,
    detail: { recipientIds: recipientIds.join(' '), wasVerified },
  })
}
