// The baseline: bare Fastify handlers that send the same bytes and run the same SQL with the same
// driver, and nothing else. The difference to the service is the cost of authentication, limits,
// scopes, validation, exact numbers, request ids, logs and metrics.
import Fastify from 'fastify'
import { insertAct } from '../src/kernel/auth/audit-log-store.ts'
import { findBusiness } from '../src/kernel/auth/business-store.ts'
import { systemClock } from '../src/kernel/basics/clock.ts'
import { systemIds } from '../src/kernel/basics/id.ts'
import { connect } from '../src/kernel/db/database.ts'
import { findEmbeddedServer } from '../src/kernel/db/embedded-server.ts'
import {
  findIdempotencyKey,
  insertIdempotencyKey,
} from '../src/kernel/operations/idempotency-store.ts'
import { presentAccount } from '../src/merchant/business/business.ts'
import { findAccount, findKycStatus } from '../src/merchant/business/business-store.ts'
import { linkUrl } from '../src/merchant/checkout/page-addresses.ts'
import { insertLink } from '../src/merchant/payment-links/payment-link-store.ts'
import type { Payment } from '../src/merchant/payments/payment.ts'
import { findPayment, listPayments } from '../src/merchant/payments/payment-store.ts'
import { findNewestSubmitted } from '../src/merchant/verification/session-store.ts'
import { mountInvoices } from './invoice-baseline.ts'
import { mountPayouts } from './payout-baseline.ts'

const { PORT, DATA_DIR, BUSINESS_ID, PUBLIC_URL } = process.env as Record<string, string>
const jsonType = 'application/json; charset=utf-8'
const prefix = '/merchant/api/v1'

const databaseUrl = findEmbeddedServer(DATA_DIR ?? '', 'tillbook')
if (!databaseUrl || !BUSINESS_ID || !PUBLIC_URL) throw new Error('bench/run.ts starts the baseline')
const database = connect({ url: databaseUrl, poolSize: 10 })
const { sql } = database
const tenant = { businessId: BUSINESS_ID, environment: 'live' } as const
const ids = systemIds(systemClock)
const bodyHash = Buffer.alloc(32)

const app = Fastify()

// Responds once the server is ready.
app.get('/readyz', () => 'ok')

app.get(`${prefix}/account`, async (_request, reply) => {
  const account = await findAccount(sql, BUSINESS_ID)
  if (!account) throw new Error('no such business')
  await findNewestSubmitted(sql, tenant)
  const answer = presentAccount({ ...account, rejectionReason: null }, 'live')
  return reply.header('content-type', jsonType).send(JSON.stringify(answer))
})

app.get<{ Params: { id: string } }>(`${prefix}/payments/:id`, async ({ params }, reply) => {
  const payment = await findPayment(sql, tenant, params.id)
  if (!payment) throw new Error('no such payment')
  return reply.header('content-type', jsonType).send(JSON.stringify(present(payment)))
})

app.get<{ Querystring: { limit: string } }>(`${prefix}/payments`, async ({ query }, reply) => {
  const limit = Number(query.limit)
  const page = { limit, status: undefined, startingAfter: undefined }
  const data = (await listPayments(sql, tenant, page)).map(present)
  const answer = { data, has_more: data.length === limit, next_cursor: data.at(-1)?.id }
  return reply.header('content-type', jsonType).send(JSON.stringify(answer))
})

type NewLink = { title: string; currency: string; amount: number }

app.post<{ Body: NewLink }>(`${prefix}/payment-links`, async (request, reply) => {
  const { title, currency, amount } = request.body
  const key = String(request.headers['idempotency-key'])
  const operation = 'payment_links'
  await findIdempotencyKey(sql, tenant, operation, key)
  await findKycStatus(sql, BUSINESS_ID)
  await findBusiness(sql, BUSINESS_ID)
  const id = ids.uuid()
  const createdAt = new Date()
  const unset = {
    description: null,
    presetAmountMinor: null,
    expiresAt: null,
    imageUrl: null,
    returnUrl: null,
    splitRecipientId: null,
    reference: null,
    metadata: {},
    payerFields: {},
  }
  const amountMinor = BigInt(amount * 100)
  const link = { id, state: 'active', title, currency, amountMinor, createdAt, ...unset } as const
  await sql.begin(async (tx) => {
    await insertIdempotencyKey(tx, tenant, { operation, key, objectId: id, bodyHash, createdAt })
    await insertLink(tx, tenant, link)
    await insertAct(tx, tenant, {
      id: ids.uuid(),
      at: createdAt,
      actorKind: 'key',
      actorId: BUSINESS_ID,
      action: 'payment_link.create',
      objectKind: 'payment_link',
      objectId: id,
      detail: { split_recipient_id: null },
    })
  })
  const answer = {
    id,
    url: linkUrl(PUBLIC_URL, tenant, id),
    state: 'active',
    title,
    description: null,
    currency,
    amount,
    amount_minor: amount * 100,
    preset_amount: null,
    preset_amount_minor: null,
    expires_at: null,
    image_url: null,
    return_url: null,
    split_recipient_id: null,
    environment: 'live',
    created_at: createdAt,
  }
  return reply.header('content-type', jsonType).send(JSON.stringify(answer))
})

mountPayouts(app, `${prefix}/payouts`, database, tenant)
mountInvoices(app, '/books/api/v1/invoices', database, tenant)

function present(payment: Payment) {
  return {
    id: payment.id,
    amount: Number(payment.amountMinor),
    currency: payment.currency,
    status: payment.status,
    refunded_amount: Number(payment.refundedMinor),
    fee_amount: Number(payment.feeMinor),
    net_amount: Number(payment.netMinor),
    qr_code_id: payment.qrCodeId,
    payment_link_id: payment.paymentLinkId,
    split_recipient_id: payment.splitRecipientId,
    created_at: payment.createdAt,
    updated_at: payment.updatedAt,
  }
}

process.once('SIGTERM', () => process.exit(0))
await app.listen({ host: '127.0.0.1', port: Number(PORT) })
