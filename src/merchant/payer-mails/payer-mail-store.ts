import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { Violation } from '../../kernel/db/invariant.ts'
import type { PayerMailFact, PayerMails } from './payer-mails.ts'

const none: PayerMails = {
  receipts: false,
  renewals: false,
  refunds: false,
  subscriptionStarts: false,
  failedRenewals: false,
  subscriptionEnds: false,
}

export async function findPayerMails(sql: Sql | Tx, businessId: string): Promise<PayerMails> {
  const [row] = await sql<PayerMails[]>`
    select
      mails_receipts as receipts,
      mails_renewals as renewals,
      mails_refunds as refunds,
      mails_subscription_starts as subscription_starts,
      mails_failed_renewals as failed_renewals,
      mails_subscription_ends as subscription_ends
    from merchant.profiles
    where business_id = ${businessId}`
  return row ?? none
}

export async function updatePayerMails(
  tx: Tx,
  businessId: string,
  wanted: PayerMails,
  updatedAt: Date,
): Promise<void> {
  await tx`
    update merchant.profiles
    set mails_receipts = ${wanted.receipts},
      mails_renewals = ${wanted.renewals},
      mails_refunds = ${wanted.refunds},
      mails_subscription_starts = ${wanted.subscriptionStarts},
      mails_failed_renewals = ${wanted.failedRenewals},
      mails_subscription_ends = ${wanted.subscriptionEnds},
      updated_at = ${updatedAt}
    where business_id = ${businessId}`
}

// False if the fact is told to this recipient already.
export async function insertPayerMail(
  tx: Tx,
  tenant: Tenant,
  { kind, factId, recipient }: PayerMailFact,
  { mailId, createdAt }: { readonly mailId: string; readonly createdAt: Date },
): Promise<boolean> {
  const result = await tx`
    insert into merchant.payer_mails (
      business_id, environment, kind, fact_id, recipient, mail_id, created_at
    )
    values (
      ${tenant.businessId}, ${tenant.environment}, ${kind}, ${factId}, ${recipient}, ${mailId},
      ${createdAt}
    )
    on conflict do nothing`
  return result.count === 1
}

// Of all tenants: a mail that tells a fact goes to its one recipient. Old mails are deleted, what
// they told stays known. Mails are not split like the facts (see table-map.ts), so they are
// gathered first.
export async function listMisaddressedMails(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    with mail as materialized (
      select business_id, environment, id, recipients
      from kernel.mails
    )
    select told.business_id, told.environment, told.kind, told.fact_id, mail.recipients
    from merchant.payer_mails as told
    join mail
      on mail.business_id = told.business_id
      and mail.environment = told.environment
      and mail.id = told.mail_id
    where mail.recipients <> array[told.recipient]
    order by told.business_id, told.environment, told.fact_id
    limit ${limit}`
}
