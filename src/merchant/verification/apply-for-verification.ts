// Submits the dossier. It can't change afterwards. The resolver sends it to the verifier, so a
// crash loses nothing.
import { findKycStatus } from '../business/business-store.ts'
import type { MerchantContext } from '../context.ts'
import { updateSubmitted } from './document-store.ts'
import { listMissing, type Missing } from './dossier.ts'
import { type Opened, readDossier } from './open-verification.ts'
import { updateKycStatus, updateSession } from './session-store.ts'
import { type Closed, recordStep, whileOpen } from './update-dossier.ts'

// Returns what is missing, or nothing if it was submitted.
export async function applyForVerification(
  context: MerchantContext,
  opened: Opened,
): Promise<readonly Missing[] | Closed> {
  const { tenant } = opened
  return whileOpen(context, opened, async (tx, session) => {
    const missing = listMissing(await readDossier(context, tx, tenant), session)
    if (missing.length > 0) return missing
    const now = context.clock.now()
    const change = {
      status: 'submitted',
      submittedAt: now,
      nextLookAt: now,
      updatedAt: now,
    } as const
    await updateSession(tx, tenant, session.id, change)
    await updateSubmitted(tx, tenant, now)
    // A business that is verified stays so while its changes are checked.
    const known = await findKycStatus(tx, tenant.businessId)
    if (tenant.environment === 'live' && known !== 'verified') {
      await updateKycStatus(tx, tenant.businessId, 'pending', now)
    }
    await recordStep(tx, context, opened, 'verification.submit')
    return []
  })
}
