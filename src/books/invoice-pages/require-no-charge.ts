import { Fault } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { listChargesUnderWay } from './invoice-charge-store.ts'

// The caller has locked the invoice, so no charge begins meanwhile.
export async function requireNoCharge(tx: Tx, tenant: Tenant, documentId: string): Promise<void> {
  const charges = await listChargesUnderWay(tx, tenant, documentId)
  if (charges.length === 0) return
  const message =
    'A customer is paying it right now, or the payment is not booked yet. Wait until it has ended, ' +
    'at most half an hour, or cancel it. While automatic booking is off, post it by hand.'
  throw new Fault('conflict', message)
}
