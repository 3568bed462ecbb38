// Which payment holds a single-use code. The row is locked for each step, so of two payers who
// press Pay at the same moment the second finds it taken.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { isPayable } from '../qr-codes/qr-code.ts'
import { lockQrCode, updateQrCode } from '../qr-codes/qr-code-store.ts'
import type { Payment } from './payment.ts'

// False when another payment holds the code, or it is not active any more.
export async function takeCode(
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

// The payment has succeeded. A code that was disabled meanwhile stays so.
export async function useUpCode(tx: Tx, tenant: Tenant, payment: Payment): Promise<void> {
  const code = payment.qrCodeId && (await lockQrCode(tx, tenant, payment.qrCodeId))
  if (!code || code.reservedBy !== payment.id || code.state !== 'active') return
  await updateQrCode(tx, tenant, code.id, { state: 'used' })
}

// The payment has ended without money: somebody else may use the code.
export async function releaseCode(tx: Tx, tenant: Tenant, payment: Payment): Promise<void> {
  const code = payment.qrCodeId && (await lockQrCode(tx, tenant, payment.qrCodeId))
  if (!code || code.reservedBy !== payment.id || code.state === 'used') return
  await updateQrCode(tx, tenant, code.id, { reservedBy: null })
}
