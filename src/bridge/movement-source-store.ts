// Reads entries of the merchant ledger that change what the service holds for the business and that
// the books have not recorded yet. Only this file reads both sides; neither service knows the
// other's tables.
import type { Tenant } from '../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../kernel/db/database.ts'
import type { Violation } from '../kernel/db/invariant.ts'
import type { Fragment } from '../kernel/db/statement.ts'
import { ledgerAccounts, simulatedAccount } from '../merchant/ledger-accounts.ts'

export type LedgerMovement = {
  readonly id: string
  readonly kind: string
  readonly sourceId: string | null
  readonly happenedAt: Date
  readonly currency: string
  readonly heldMinor: bigint
  readonly feeMinor: bigint
  readonly shareMinor: bigint
  readonly paymentId: string | null
  readonly offerId: string | null
  readonly offerText: string | null
}

const { merchantPending, merchantAvailable, merchantWallet } = ledgerAccounts
const { platformFees, recipientsOwed } = ledgerAccounts
// Everything that the service owes the business. Settlement and moves to the wallet happen between
// these accounts, so they change nothing.
const ownAccounts = [merchantPending, merchantAvailable, merchantWallet]
// Simulated money stays in the books as it was booked when a real provider is configured.
const heldAccounts = [...ownAccounts, ...ownAccounts.map(simulatedAccount)]
const feeAccounts = [platformFees, simulatedAccount(platformFees)]
const shareAccounts = [recipientsOwed, simulatedAccount(recipientsOwed)]
// Half of all entries. Their lines need not be read.
const unmovingKinds = ['charge.settled', 'wallet.returned']

// Of the businesses with automatic bookkeeping: those with unrecorded movements, and those whose
// older entries are due to be read again. An idle business costs one index lookup.
export async function listTenantsWithNewMovements(
  sql: Sql,
  before: { readonly lookedAt: Date; readonly lookedBackAt: Date },
): Promise<Tenant[]> {
  const entryFrom = (place: Fragment) => sql`
    select
    from kernel.ledger_entries as entry
    where entry.business_id = setting.business_id
      and entry.environment = setting.environment
      and entry.id >= ${place}`
  return sql<Tenant[]>`
    select setting.business_id, setting.environment
    from books.service_settings as setting
    where setting.is_on
      and (
        setting.looked_back_at <= ${before.lookedBackAt}
        or (
          setting.looked_at <= ${before.lookedAt}
          and exists (${entryFrom(sql`setting.look_from`)})
        )
        or exists (
          ${entryFrom(sql`setting.near_from`)}
            and entry.created_at >= setting.since
            and entry.kind <> all (${unmovingKinds}::text[])
            and ${isUntaken(sql, sql`setting.near_from`)}
        )
      )
    order by setting.business_id, setting.environment`
}

export type LedgerPage = {
  // Entries that are not recorded yet.
  readonly untakenIds: readonly string[]
  // The last entry that was read, if there may be more.
  readonly next: string | undefined
}

// Reads a number of entries from a position on, by id. The cost depends neither on the length of
// the ledger nor on how many entries are recorded.
export async function findLedgerPage(
  tx: Tx,
  tenant: Tenant,
  wanted: {
    readonly from: string
    readonly before: string | undefined
    readonly since: Date
    readonly limit: number
  },
): Promise<LedgerPage> {
  const { from, before, since, limit } = wanted
  const rows = await tx<{ id: string; isUntaken: boolean }[]>`
    select
      entry.id,
      movement.id is null
        and entry.created_at >= ${since}
        and entry.kind <> all (${unmovingKinds}::text[]) as is_untaken
    from (
      select business_id, environment, id, kind, created_at
      from kernel.ledger_entries
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
        and id >= ${from}
        ${before === undefined ? tx`` : tx`and id < ${before}`}
      order by id
      limit ${limit}
    ) as entry
    left join books.service_movements as movement
      on movement.business_id = ${tenant.businessId}
      and movement.environment = entry.environment
      and movement.id = entry.id
    order by entry.id`
  return {
    untakenIds: rows.filter(({ isUntaken }) => isUntaken).map(({ id }) => id),
    next: rows.length < limit ? undefined : rows.at(-1)?.id,
  }
}

// The movements of entries. Entries that moved nothing have none.
export async function listLedgerMovements(
  tx: Tx,
  tenant: Tenant,
  ids: readonly string[],
): Promise<LedgerMovement[]> {
  return tx<LedgerMovement[]>`
    select
      entry.id, entry.kind, entry.source_id, entry.created_at as happened_at,
      moved.currency, moved.held_minor, moved.fee_minor,
      case when entry.kind like 'charge.restored%' then collected.share_minor
        else moved.share_minor end as share_minor,
      coalesce(payment.id, refund.payment_id, chargeback.payment_id) as payment_id,
      coalesce(payment.payment_link_id, payment.qr_code_id, payment.subscription_id) as offer_id,
      nullif(concat_ws(' ', link.title, link.description, code.description), '') as offer_text
    from kernel.ledger_entries as entry
    cross join lateral (${movedBy(tx, tx`${tenant.businessId}`)}) as moved
    cross join lateral (${firstShare(tx, tenant)}) as collected
    left join merchant.payments as payment
      on payment.business_id = entry.business_id
      and payment.environment = entry.environment
      and payment.id = entry.source_id
    left join merchant.payment_links as link
      on link.business_id = payment.business_id
      and link.environment = payment.environment
      and link.id = payment.payment_link_id
    left join merchant.qr_codes as code
      on code.business_id = payment.business_id
      and code.environment = payment.environment
      and code.id = payment.qr_code_id
    left join merchant.refunds as refund
      on refund.business_id = entry.business_id
      and refund.environment = entry.environment
      and refund.id = entry.source_id
    left join merchant.chargebacks as chargeback
      on chargeback.business_id = entry.business_id
      and chargeback.environment = entry.environment
      and chargeback.id = entry.source_id
    where entry.business_id = ${tenant.businessId}
      and entry.environment = ${tenant.environment}
      and entry.id = any (${[...ids]}::uuid[])
    order by entry.id`
}

// Movements that the books have read past without recording them.
export async function listForgottenMovements(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select entry.business_id, entry.environment, entry.id as entry_id, entry.kind
    from books.service_settings as setting
    join kernel.ledger_entries as entry
      on entry.business_id = setting.business_id
      and entry.environment = setting.environment
    where entry.id < setting.look_from
      and entry.created_at >= setting.since
      and ${isUntaken(sql)}
      and exists (${movedBy(sql, sql`entry.business_id`)})
    order by entry.business_id, entry.environment, entry.id
    limit ${limit}`
}

// The position from which entries are read also bounds what they are compared with, however many
// earlier movements there are.
function isUntaken(sql: Sql | Tx, place?: Fragment) {
  return sql`
    not exists (
      select
      from books.service_movements as movement
      where movement.business_id = entry.business_id
        and movement.environment = entry.environment
        and movement.id = entry.id
        and ${place ? sql`movement.id >= ${place}` : sql`true`}
    )`
}

// The share of the split recipient when the payment was collected. A charge that is reversed after
// settlement takes nothing back from the recipient, so its entry names none.
function firstShare(tx: Tx, tenant: Tenant) {
  return tx`
    select coalesce(-sum(line.amount_minor), 0)::bigint as share_minor
    from kernel.ledger_entries as success
    join kernel.ledger_lines as line
      on line.business_id = success.business_id
      and line.environment = success.environment
      and line.entry_id = success.id
    where success.business_id = ${tenant.businessId}
      and success.environment = entry.environment
      and success.source_id = entry.source_id
      and success.kind = 'charge.succeeded'
      and line.account = ${recipientsOwed}
      and entry.kind like 'charge.restored%'`
}

// No row for an entry that moves nothing of the business. A payment of which the fee or the
// recipient took everything is a movement; a settlement, which pays recipients, is not.
function movedBy(sql: Sql | Tx, businessId: Fragment) {
  return sql`
    select part.currency, part.held_minor, part.fee_minor, part.share_minor
    from (
      select
        line.currency,
        coalesce(-sum(line.amount_minor) filter (
          where line.account = any (${heldAccounts}::text[])), 0)::bigint as held_minor,
        coalesce(-sum(line.amount_minor) filter (
          where line.account = any (${feeAccounts}::text[])), 0)::bigint as fee_minor,
        coalesce(-sum(line.amount_minor) filter (
          where line.account = any (${shareAccounts}::text[])), 0)::bigint as share_minor
      from kernel.ledger_lines as line
      where line.business_id = ${businessId}
        and line.environment = entry.environment
        and line.entry_id = entry.id
      group by line.currency
    ) as part
    where part.held_minor <> 0
      or part.fee_minor <> 0
      or (part.share_minor <> 0 and entry.kind <> 'charge.settled')`
}
