// Reserves a single-use code for a payment. Each step locks the row, so when two payers press Pay
// at the same time, the second finds the code reserved.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { isPayable } from '../qr-codes/qr-code.ts'
import { lockQrCode, updateQrCode } from '../qr-codes/qr-code-store.ts'
import type { Payment } from './payment.ts'

// False if another payment has reserved the code, or it is no longer active.
export async function reserveCode(
  tx: Tx,
  tenant: Tenant,
  codeId: string,
  paymentId: string,
): Promise<boolean> {
  const code = await lockQrCode(tx, tenant, codeId)
  if (!code || !isPayable(code)) return false
  if (code.singleUse) await updateQrCode(tx, tenant, codeId, { reservedBy: paymentId })
  return true
}

// The payment has succeeded. A code that was disabled meanwhile stays disabled.
export async function markCodeUsed(tx: Tx, tenant: Tenant, payment: Payment): Promise<void> {
  const code = payment.qrCodeId && (await lockQrCode(tx, tenant, payment.qrCodeId))
  if (!code || code.reservedBy !== payment.id || code.state !== 'active') return
  await updateQrCode(tx, tenant, code.id, { state: 'used' })
}

// The payment has ended without money, so the code can be used again.
export async function releaseCode(tx: Tx, tenant: Tenant, payment: Payment): Promise<void> {
  const code = payment.qrCodeId && (await lockQrCode(tx, tenant, payment.qrCodeId))
  if (!code || code.reservedBy !== payment.id || code.state === 'used') return
  await updateQrCode(tx, tenant, code.id, { reservedBy: null })
}
