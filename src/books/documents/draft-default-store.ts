// Everything that a draft needs, in one statement, because creating drafts is the most frequent
// call.
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { NamedAccount } from '../accounts/control-account.ts'
import type { TaxRounding } from '../settings/organisation.ts'
import { readComponents, type StoredComponent, type TaxCode } from '../taxes/tax-code.ts'

// What a line takes over if it has no value itself.
export type LineDefault = { readonly accountId: string | null; readonly taxCodeId: string | null }

export type DraftDefaults = {
  readonly baseCurrency: string
  readonly taxRounding: TaxRounding
  // The given day, or today in the organisation's time zone.
  readonly date: string
  readonly organisation: LineDefault
  readonly contact: DraftContact | null
  readonly items: ReadonlyMap<string, DraftItem>
  readonly accounts: ReadonlyMap<string, DraftAccount>
  readonly taxCodes: ReadonlyMap<string, DraftTaxCode>
  // The newest rate of the document's currency, as decimal text.
  readonly rate: string | null
}

export type DraftContact = LineDefault & {
  readonly id: string
  readonly isCustomer: boolean
  readonly isSupplier: boolean
  readonly active: boolean
  readonly currency: string | null
  readonly paymentTermsDays: number
}
type DraftAccount = NamedAccount & { readonly id: string }
type DraftItem = LineDefault & { readonly id: string; readonly active: boolean }
type DraftTaxCode = Pick<TaxCode, 'id' | 'isInclusive' | 'components' | 'active'>

export type WantedDefaults = {
  readonly side: 'sales' | 'purchase'
  readonly contactId: string
  readonly currency: string | null
  readonly date: string | null
  readonly now: Date
  readonly itemIds: readonly string[]
  readonly accountIds: readonly string[]
  readonly taxCodeIds: readonly string[]
}

type Row = Pick<DraftDefaults, 'baseCurrency' | 'taxRounding' | 'date' | 'rate' | 'contact'> & {
  readonly accountId: string | null
  readonly taxCodeId: string | null
  readonly items: readonly DraftItem[] | null
  readonly accounts: readonly DraftAccount[] | null
  readonly taxCodes: readonly StoredCode[] | null
}
type StoredCode = Omit<DraftTaxCode, 'components'> & {
  readonly components: readonly StoredComponent[]
}

export async function findDraftDefaults(
  sql: Sql | Tx,
  tenant: Tenant,
  wanted: WantedDefaults,
): Promise<DraftDefaults> {
  const { businessId, environment } = tenant
  const account = sql(`${wanted.side}_account_id`)
  const taxCode = sql(`${wanted.side}_tax_code_id`)
  const [row] = await sql<Row[]>`
    with organisation as (
      select
        base_currency,
        tax_rounding,
        ${sql(`default_${wanted.side}_account_id`)} as account_id,
        ${sql(`default_${wanted.side}_tax_code_id`)} as tax_code_id,
        coalesce(
          ${wanted.date}::date,
          (${wanted.now}::timestamptz at time zone time_zone)::date
        ) as date
      from books.organisations
      where business_id = ${businessId}
        and environment = ${environment}
    ),
    contact as (
      select
        id, is_customer, is_supplier, active, currency, payment_terms_days,
        ${account} as account_id,
        ${taxCode} as tax_code_id
      from books.contacts
      where business_id = ${businessId}
        and environment = ${environment}
        and id = coalesce((
          select merged_into
          from books.contacts
          where business_id = ${businessId}
            and environment = ${environment}
            and id = ${wanted.contactId}
        ), ${wanted.contactId})
    ),
    item as (
      select id, active, ${account} as account_id, ${taxCode} as tax_code_id
      from books.items
      where business_id = ${businessId}
        and environment = ${environment}
        and id = any (${[...wanted.itemIds]}::uuid[])
    ),
    named as (
      select account_id, tax_code_id
      from organisation
      union all
      select account_id, tax_code_id
      from contact
      union all
      select account_id, tax_code_id
      from item
    )
    select
      organisation.*,
      (
        select json_build_object(
          'id', id, 'isCustomer', is_customer, 'isSupplier', is_supplier, 'active', active,
          'currency', currency, 'paymentTermsDays', payment_terms_days,
          'accountId', account_id, 'taxCodeId', tax_code_id)
        from contact
      ) as contact,
      (
        select json_agg(json_build_object(
          'id', id, 'active', active, 'accountId', account_id, 'taxCodeId', tax_code_id))
        from item
      ) as items,
      ${usableAccounts(sql, tenant, wanted)},
      ${usableTaxCodes(sql, tenant, wanted)},
      (
        select rate
        from books.exchange_rates as known
        where business_id = ${businessId}
          and environment = ${environment}
          and currency = coalesce(${wanted.currency}, (select currency from contact))
          and known.date <= organisation.date
        order by known.date desc
        limit 1
      ) as rate
    from organisation`
  return read(assertDefined(row, 'a business without books'))
}

// The accounts of the lines, and the default ones.
function usableAccounts(sql: Sql | Tx, tenant: Tenant, { accountIds }: WantedDefaults) {
  return sql`
    (
      select json_agg(json_build_object(
        'id', id, 'subtype', subtype, 'active', active, 'isSystem', is_system,
        'currency', currency))
      from books.accounts
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
        and id = any (${[...accountIds]}::uuid[] || (select array_agg(account_id) from named))
    ) as accounts`
}

function usableTaxCodes(sql: Sql | Tx, tenant: Tenant, { taxCodeIds }: WantedDefaults) {
  return sql`
    (
      select json_agg(json_build_object(
        'id', id, 'isInclusive', is_inclusive, 'components', components, 'active', active))
      from books.tax_codes
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
        and id = any (${[...taxCodeIds]}::uuid[] || (select array_agg(tax_code_id) from named))
    ) as tax_codes`
}

function read({ accountId, taxCodeId, items, accounts, taxCodes, ...row }: Row): DraftDefaults {
  return {
    ...row,
    organisation: { accountId, taxCodeId },
    items: byId(items),
    accounts: byId(accounts),
    taxCodes: byId(
      taxCodes?.map((code) => ({ ...code, components: readComponents(code.components) })),
    ),
  }
}

function byId<Noun extends { readonly id: string }>(
  rows: readonly Noun[] | null | undefined,
): ReadonlyMap<string, Noun> {
  return new Map(rows?.map((row) => [row.id, row]))
}
