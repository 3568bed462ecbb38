import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { PayerMails } from './payer-mails.ts'

export async function findPayerMails(sql: Sql | Tx, businessId: string): Promise<PayerMails> {
  const [row] = await sql<PayerMails[]>`
    select mails_receipts as receipts, mails_refunds as refunds
    from merchant.profiles
    where business_id = ${businessId}`
  return row ?? { receipts: false, refunds: false }
}

export async function updatePayerMails(
  tx: Tx,
  businessId: string,
  { receipts, refunds }: PayerMails,
  updatedAt: Date,
): Promise<void> {
  await tx`
    update merchant.profiles
    set mails_receipts = ${receipts},
      mails_refunds = ${refunds},
      updated_at = ${updatedAt}
    where business_id = ${businessId}`
}
