import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { findShownName } from '../contacts/merged-contact-store.ts'
import type {
  Batch,
  BatchCounts,
  BatchDocument,
  BatchPayment,
  NamedBatchDocument,
} from './batch.ts'

type StoredPayment = {
  readonly account_id: string
  readonly date: string
  readonly reference: string | null
  readonly confirms_old_date: boolean
}
type StoredBatch = Omit<Batch, 'payment'> & { readonly payment: StoredPayment | null }

export async function insertBatch(tx: Tx, tenant: Tenant, batch: Batch): Promise<void> {
  const { businessId, environment } = tenant
  const payment = batch.payment && tx.json(writePayment(batch.payment))
  await tx`insert into books.batches ${tx({ businessId, environment, ...batch, payment })}`
}

// All documents in one statement.
export async function insertBatchDocuments(
  tx: Tx,
  tenant: Tenant,
  batchId: string,
  documents: readonly BatchDocument[],
): Promise<void> {
  await tx`
    insert into books.batch_documents (
      business_id, environment, batch_id, position, document_id, version, amount_minor, status,
      reason, ended_at
    )
    select
      ${tenant.businessId}::uuid, ${tenant.environment}, ${batchId}::uuid, position, document_id,
      version, amount_minor, status, reason, ended_at
    from unnest(
      ${documents.map((one) => one.position)}::integer[],
      ${documents.map((one) => one.documentId)}::uuid[],
      ${documents.map((one) => one.version)}::integer[],
      ${documents.map((one) => one.amountMinor)}::bigint[],
      ${documents.map((one) => one.status)}::text[],
      ${documents.map((one) => one.reason)}::text[],
      ${documents.map((one) => one.endedAt)}::timestamptz[]
    ) as document (position, document_id, version, amount_minor, status, reason, ended_at)`
}

export async function findBatch(sql: Sql, tenant: Tenant, id: string): Promise<Batch | undefined> {
  const [row] = await sql<StoredBatch[]>`
    select id, act, side, person_id, payment, document_count, created_at, finished_at
    from books.batches
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
  return row && { ...row, payment: row.payment && readPayment(row.payment) }
}

// The newest first.
export async function listBatches(
  sql: Sql,
  tenant: Tenant,
  limit: number,
): Promise<(Batch & BatchCounts)[]> {
  const rows = await sql<(StoredBatch & BatchCounts)[]>`
    select
      id, act, side, person_id, payment, document_count, created_at, finished_at,
      count(*) filter (where document.status = 'done')::integer as done_count,
      count(*) filter (where document.status = 'refused')::integer as refused_count
    from (
      select *
      from books.batches
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
      order by created_at desc, id desc
      limit ${limit}
    ) as batch
    join books.batch_documents as document
      on document.business_id = batch.business_id
      and document.environment = batch.environment
      and document.batch_id = batch.id
    where document.business_id = ${tenant.businessId}
      and document.environment = ${tenant.environment}
    group by id, act, side, person_id, payment, document_count, created_at, finished_at
    order by created_at desc, id desc`
  return rows.map((row) => ({ ...row, payment: row.payment && readPayment(row.payment) }))
}

export async function listBatchDocuments(
  sql: Sql,
  tenant: Tenant,
  batchId: string,
): Promise<NamedBatchDocument[]> {
  return sql<NamedBatchDocument[]>`
    select
      row.position, row.document_id, row.version, row.amount_minor, row.status, row.reason,
      row.ended_at, document.kind, document.number, document.currency, document.total_minor,
      ${findShownName(sql, tenant)} as contact_name
    from books.batch_documents as row
    join books.documents as document
      on document.business_id = row.business_id
      and document.environment = row.environment
      and document.id = row.document_id
    join books.contacts as contact
      on contact.business_id = document.business_id
      and contact.environment = document.environment
      and contact.id = document.contact_id
    where row.business_id = ${tenant.businessId}
      and row.environment = ${tenant.environment}
      and row.batch_id = ${batchId}
    order by row.position`
}

// False if it is decided already.
export async function updateBatchDocumentToDone(
  sql: Sql | Tx,
  tenant: Tenant,
  { batchId, position, at }: { batchId: string; position: number; at: Date },
): Promise<boolean> {
  const updated = await sql`
    update books.batch_documents
    set status = 'done',
      ended_at = ${at}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and batch_id = ${batchId}
      and position = ${position}
      and status = 'waiting'`
  return updated.count === 1
}

export async function updateBatchDocumentToRefused(
  sql: Sql | Tx,
  tenant: Tenant,
  refused: { batchId: string; position: number; at: Date; reason: string },
): Promise<boolean> {
  const updated = await sql`
    update books.batch_documents
    set status = 'refused',
      reason = ${refused.reason},
      ended_at = ${refused.at}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and batch_id = ${refused.batchId}
      and position = ${refused.position}
      and status = 'waiting'`
  return updated.count === 1
}

// False if it was finished before.
export async function updateBatchToFinished(
  tx: Tx,
  tenant: Tenant,
  id: string,
  finishedAt: Date,
): Promise<boolean> {
  const updated = await tx`
    update books.batches
    set finished_at = ${finishedAt}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}
      and finished_at is null`
  return updated.count === 1
}

function writePayment({ accountId, date, reference, confirmsOldDate }: BatchPayment) {
  return {
    account_id: accountId,
    date,
    reference: reference ?? null,
    confirms_old_date: confirmsOldDate ?? false,
  } satisfies StoredPayment
}

function readPayment(stored: StoredPayment): BatchPayment {
  return {
    accountId: stored.account_id,
    date: stored.date,
    ...(stored.reference !== null && { reference: stored.reference }),
    ...(stored.confirms_old_date && { confirmsOldDate: true }),
  }
}
