import type { Tenant } from '../../kernel/basics/tenant.ts'
import { containing } from '../../kernel/db/contains.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { OfferFilter } from '../checkout/offer-fields.ts'
import type { QrCode } from './qr-code.ts'

export async function findQrCode(
  sql: Sql | Tx,
  tenant: Tenant,
  id: string,
): Promise<QrCode | undefined> {
  const [row] = await sql<QrCode[]>`
    select ${columns(sql)}
    from merchant.qr_codes
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
  return row
}

// Newest first: the ids sort by the time they were made.
export async function listQrCodes(
  sql: Sql | Tx,
  tenant: Tenant,
  wanted: OfferFilter,
): Promise<QrCode[]> {
  return sql<QrCode[]>`
    select ${columns(sql)}
    from merchant.qr_codes
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      ${wanted.reference ? sql`and reference = ${wanted.reference}` : sql``}
      ${
        wanted.search
          ? sql`and concat_ws(' ', description, reference) ilike ${containing(wanted.search)}`
          : sql``
      }
      ${wanted.startingAfter ? sql`and id < ${wanted.startingAfter}` : sql``}
    order by id desc
    limit ${wanted.limit}`
}

// Two payers of a single-use code meet here: the second waits, and then finds it reserved.
export async function lockQrCode(tx: Tx, tenant: Tenant, id: string): Promise<QrCode | undefined> {
  const [row] = await tx<QrCode[]>`
    select ${columns(tx)}
    from merchant.qr_codes
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}
    for update`
  return row
}

export async function insertQrCode(
  tx: Tx,
  tenant: Tenant,
  { metadata, ...code }: QrCode,
): Promise<void> {
  const { businessId, environment } = tenant
  await tx`
    insert into merchant.qr_codes
      ${tx({ businessId, environment, ...code, metadata: tx.json(metadata) })}`
}

// Writes the given fields of a code that the caller has locked.
export async function updateQrCode(
  tx: Tx,
  tenant: Tenant,
  id: string,
  changes: Partial<Pick<QrCode, 'state' | 'reservedBy'>>,
): Promise<void> {
  await tx`
    update merchant.qr_codes
    set ${tx(changes)}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
}

function columns(sql: Sql | Tx) {
  return sql`
    id, state, mode, currency, amount_minor, description, single_use, return_url,
    split_recipient_id, reserved_by, reference, metadata, created_at`
}
