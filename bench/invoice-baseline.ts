// The baseline of a draft invoice: the service's statements in the same order, with simple price
// arithmetic and without any checks.
import type { FastifyInstance } from 'fastify'
import type { Document, DocumentLine } from '../src/books/documents/document.ts'
import { insertDocument, insertDocumentLines } from '../src/books/documents/document-store.ts'
import { findDraftDefaults } from '../src/books/documents/draft-default-store.ts'
import { insertAct } from '../src/kernel/auth/audit-log-store.ts'
import type { Tenant } from '../src/kernel/basics/tenant.ts'
import type { Context } from '../src/kernel/db/context.ts'
import type { Database } from '../src/kernel/db/database.ts'
import { insertIdempotencyKey } from '../src/kernel/operations/idempotency-store.ts'
import { publish } from '../src/kernel/webhooks/event.ts'
import { contextOf } from './payout-baseline.ts'

const operation = 'invoices'
const bodyHash = Buffer.alloc(32)
const dayMs = 24 * 60 * 60 * 1000

type NewLine = { description: string; quantity: number; unit_price: number }
type NewInvoice = { contact_id: string; lines: NewLine[] }

export function mountInvoices(app: FastifyInstance, path: string, database: Database, of: Tenant) {
  const context = contextOf(database)
  app.post<{ Body: NewInvoice }>(path, async (request, reply) => {
    const key = String(request.headers['idempotency-key'])
    const id = context.ids.uuid()
    const createdAt = new Date()
    const { document, lines } = await database.transaction(async (tx) => {
      await insertIdempotencyKey(tx, of, { operation, key, objectId: id, bodyHash, createdAt })
      const defaults = await findDraftDefaults(tx, of, {
        side: 'sales',
        contactId: request.body.contact_id,
        currency: null,
        date: null,
        now: createdAt,
        itemIds: [],
        accountIds: [],
        taxCodeIds: [],
      })
      const made = draft(context, of, id, createdAt, request.body, defaults)
      await Promise.all([
        insertDocument(tx, of, made.document),
        insertDocumentLines(tx, of, id, made.lines),
        publish(tx, context, of, {
          service: 'books',
          type: 'invoice.created',
          objectId: id,
          data: summary(made.document),
        }),
        insertAct(tx, of, {
          id: context.ids.uuid(),
          at: createdAt,
          actorKind: 'key',
          actorId: of.businessId,
          action: 'invoice.create',
          objectKind: 'invoice',
          objectId: id,
          detail: {},
        }),
      ])
      return made
    })
    const answer = present(document, lines)
    const type = 'application/json; charset=utf-8'
    return reply.code(201).header('content-type', type).send(JSON.stringify(answer))
  })
}

function draft(
  { ids }: Context,
  { businessId }: Tenant,
  id: string,
  createdAt: Date,
  body: NewInvoice,
  defaults: Awaited<ReturnType<typeof findDraftDefaults>>,
): { document: Document; lines: DocumentLine[] } {
  const { contact, date, baseCurrency: currency, taxRounding } = defaults
  if (!contact) throw new Error('no such contact')
  const code = defaults.taxCodes.get(contact.taxCodeId ?? '')
  const lines = body.lines.map((line, index) => {
    const net = Math.round(line.quantity * line.unit_price * 100)
    const taxes = (code?.components ?? []).map(({ name, rate }) => ({
      name,
      rate,
      taxMinor: BigInt(Math.round((net * Number(rate)) / 100)),
    }))
    const taxMinor = taxes.reduce((sum, tax) => sum + tax.taxMinor, 0n)
    return {
      id: ids.uuid(),
      position: index + 1,
      itemId: null,
      description: line.description,
      quantity: String(line.quantity),
      unitPrice: String(line.unit_price),
      discountPct: '0',
      accountId: contact.accountId,
      taxCodeId: contact.taxCodeId,
      taxes,
      netMinor: BigInt(net),
      taxMinor,
      grossMinor: BigInt(net) + taxMinor,
    }
  })
  const subtotalMinor = lines.reduce((sum, line) => sum + line.netMinor, 0n)
  const taxTotalMinor = lines.reduce((sum, line) => sum + line.taxMinor, 0n)
  const due = new Date(Date.parse(date) + contact.paymentTermsDays * dayMs)
  const document: Document = {
    id,
    kind: 'invoice',
    status: 'draft',
    number: null,
    contactId: body.contact_id,
    date,
    dueDate: due.toISOString().slice(0, 10),
    reference: null,
    creditsDocumentId: null,
    notes: null,
    currency,
    fxRate: '1',
    fxRateStated: false,
    taxRounding,
    subtotalMinor,
    taxTotalMinor,
    totalMinor: subtotalMinor + taxTotalMinor,
    paidMinor: 0n,
    creditedMinor: 0n,
    writtenOffMinor: 0n,
    createdByKind: 'key',
    createdBy: businessId,
    authorPersonId: null,
    submittedAt: null,
    approvedAt: null,
    approvedBy: null,
    returnReason: null,
    postedAt: null,
    sentAt: null,
    voidedAt: null,
    createdAt,
    updatedAt: createdAt,
    version: 1,
  }
  return { document, lines }
}

const major = (minor: bigint) => Number(minor) / 100

function summary(document: Document) {
  return {
    id: document.id,
    kind: document.kind,
    number: document.number,
    status: document.status,
    contact_id: document.contactId,
    date: document.date,
    due_date: document.dueDate,
    currency: document.currency,
    subtotal: major(document.subtotalMinor),
    tax_total: major(document.taxTotalMinor),
    total: major(document.totalMinor),
    amount_paid: 0,
    reference: document.reference,
  }
}

function present(document: Document, lines: readonly DocumentLine[]) {
  const { id, kind, number, status, contactId, date, dueDate, currency, createdAt } = document
  return {
    id,
    kind,
    number,
    status,
    contact_id: contactId,
    date,
    due_date: dueDate,
    reference: null,
    currency,
    fx_rate: 1,
    subtotal: major(document.subtotalMinor),
    tax_total: major(document.taxTotalMinor),
    total: major(document.totalMinor),
    amount_paid: 0,
    amount_credited: 0,
    amount_written_off: 0,
    amount_due: major(document.totalMinor),
    notes: null,
    created_at: createdAt,
    lines: lines.map((line) => ({
      id: line.id,
      position: line.position,
      item_id: null,
      description: line.description,
      quantity: Number(line.quantity),
      unit_price: Number(line.unitPrice),
      discount_pct: 0,
      account_id: line.accountId,
      tax_code_id: line.taxCodeId,
      net: major(line.netMinor),
      tax: major(line.taxMinor),
      gross: major(line.grossMinor),
    })),
  }
}
