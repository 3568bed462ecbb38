// A customer is about to pay an invoice. The charge is recorded in the transaction that creates the
// payment, with the invoice locked: from then on the invoice can't be voided until the charge has
// failed or is booked.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { dueMinor } from '../documents/document-acts.ts'
import { lockDocument } from '../documents/document-store.ts'
import { takesInvoicePayments } from '../service-money/service-settings.ts'
import { lockServiceSettingsForShare } from '../service-money/service-settings-store.ts'
import { insertInvoiceCharge } from './invoice-charge-store.ts'

export type NewCharge = {
  readonly documentId: string
  readonly paymentId: string
  readonly currency: string
  readonly amountMinor: bigint
}

// False if less is due by now than the payer was asked for, or if payments are not posted any more.
// The settings are locked before the invoice, as by the posting.
export async function reserveInvoice(
  tx: Tx,
  { clock }: Pick<Context, 'clock'>,
  tenant: Tenant,
  charge: NewCharge,
): Promise<boolean> {
  const settings = await lockServiceSettingsForShare(tx, tenant)
  if (!settings || !takesInvoicePayments(settings)) return false
  const document = await lockDocument(tx, tenant, charge.documentId)
  if (!document || dueMinor(document) < charge.amountMinor) return false
  await insertInvoiceCharge(tx, tenant, { ...charge, createdAt: clock.now() })
  return true
}
