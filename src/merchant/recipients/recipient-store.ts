import type { Tenant } from '../../kernel/basics/tenant.ts'
import { containing } from '../../kernel/db/contains.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { Recipient } from './recipient.ts'

export type RecipientOfTenant = { readonly tenant: Tenant; readonly recipient: Recipient }

export async function findRecipient(
  sql: Sql | Tx,
  tenant: Tenant,
  id: string,
): Promise<Recipient | undefined> {
  const [row] = await sql<Recipient[]>`
    select ${columns(sql)}
    from merchant.split_recipients
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
  return row
}

export async function findRecipientByReference(
  sql: Sql | Tx,
  tenant: Tenant,
  externalReference: string,
): Promise<Recipient | undefined> {
  const [row] = await sql<Recipient[]>`
    select ${columns(sql)}
    from merchant.split_recipients
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and external_reference = ${externalReference}`
  return row
}

export async function lockRecipient(
  tx: Tx,
  tenant: Tenant,
  id: string,
): Promise<Recipient | undefined> {
  const [row] = await tx<Recipient[]>`
    select ${columns(tx)}
    from merchant.split_recipients
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}
    for update`
  return row
}

// Newest first.
export async function listRecipients(
  sql: Sql | Tx,
  tenant: Tenant,
  // `search` is part of the name or reference.
  { search, limit }: { search?: string | undefined; limit?: number | undefined } = {},
): Promise<Recipient[]> {
  return sql<Recipient[]>`
    select ${columns(sql)}
    from merchant.split_recipients
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      ${
        search
          ? sql`and concat_ws(' ', name, external_reference) ilike ${containing(search)}`
          : sql``
      }
    order by id desc
    limit ${limit ?? null}`
}

// Of all tenants: those that are due and that no one is registering now, the longest due first.
// One that was never sent to the provider that serves now waits until someone asks for it.
export async function listRecipientsToRegister(
  sql: Sql,
  now: Date,
  limit: number,
): Promise<RecipientOfTenant[]> {
  const rows = await sql<(Recipient & Tenant)[]>`
    select business_id, environment, ${columns(sql)}
    from merchant.split_recipients
    where subaccount_id is null
      and sends > 0
      and (next_look_at is null or next_look_at <= ${now})
      and (claimed_until is null or claimed_until <= ${now})
    order by next_look_at nulls first
    limit ${limit}`
  return rows.map(({ businessId, environment, ...recipient }) => ({
    tenant: { businessId, environment },
    recipient,
  }))
}

// False if the external reference is taken. Waits for a concurrent insert of it.
export async function insertRecipient(
  tx: Tx,
  tenant: Tenant,
  recipient: Recipient,
): Promise<boolean> {
  const { businessId, environment } = tenant
  const rows = await tx`
    insert into merchant.split_recipients ${tx({ businessId, environment, ...recipient })}
    on conflict (business_id, environment, external_reference) do nothing`
  return rows.count === 1
}

// Writes the given fields of a recipient that the caller has locked.
export async function updateRecipient(
  tx: Tx,
  tenant: Tenant,
  id: string,
  changes: Partial<Omit<Recipient, 'id' | 'externalReference'>>,
): Promise<void> {
  await tx`
    update merchant.split_recipients
    set ${tx(changes)}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
}

// Undefined if another process is registering it, or has registered it.
export async function updateRecipientClaim(
  sql: Sql,
  tenant: Tenant,
  id: string,
  claim: { readonly now: Date; readonly until: Date },
): Promise<Recipient | undefined> {
  const [row] = await sql<Recipient[]>`
    update merchant.split_recipients
    set claimed_until = ${claim.until}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}
      and subaccount_id is null
      and (claimed_until is null or claimed_until <= ${claim.now})
    returning ${columns(sql)}`
  return row
}

// Counted before each send, so that a crash while sending does not look like no send.
export async function updateRecipientSent(
  sql: Sql,
  tenant: Tenant,
  id: string,
  now: Date,
): Promise<void> {
  await sql`
    update merchant.split_recipients
    set sends = sends + 1,
      sent_at = ${now}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
}

// False if it was registered or deleted. One that was registered once has payments, and stays.
export async function deleteUnregisteredRecipient(
  tx: Tx,
  tenant: Tenant,
  id: string,
): Promise<boolean> {
  const rows = await tx`
    delete from merchant.split_recipients
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}
      and subaccount_id is null
      and provider is null`
  return rows.count === 1
}

function columns(sql: Sql | Tx) {
  return sql`
    id, external_reference, name, bank_code, account_number_sealed, account_name, split_percent,
    mobile, subaccount_id, provider, verified, disabled, sends, sent_at, claimed_until,
    next_look_at, created_at, updated_at`
}
