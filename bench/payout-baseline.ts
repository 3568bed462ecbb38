// The baseline of a payout to the wallet: the service's statements in the same order, and nothing
// else.
import type { FastifyInstance } from 'fastify'
import { insertAct } from '../src/kernel/auth/audit-log-store.ts'
import { findBusiness } from '../src/kernel/auth/business-store.ts'
import { systemClock } from '../src/kernel/basics/clock.ts'
import { createFailpoint } from '../src/kernel/basics/failpoint.ts'
import { systemIds } from '../src/kernel/basics/id.ts'
import { createLog } from '../src/kernel/basics/log.ts'
import type { Tenant } from '../src/kernel/basics/tenant.ts'
import type { Context } from '../src/kernel/db/context.ts'
import type { Database, Tx } from '../src/kernel/db/database.ts'
import { lockCreditBalance, post } from '../src/kernel/ledger/ledger.ts'
import {
  findIdempotencyKey,
  insertIdempotencyKey,
} from '../src/kernel/operations/idempotency-store.ts'
import { publish } from '../src/kernel/webhooks/event.ts'
import { findThresholdMinor } from '../src/merchant/approvals/threshold-store.ts'
import { listBusinessBalances } from '../src/merchant/balances/balance-store.ts'
import { findKycStatus } from '../src/merchant/business/business-store.ts'
import { ledgerAccounts } from '../src/merchant/ledger-accounts.ts'
import { findPause } from '../src/merchant/pauses/pause-store.ts'
import { completedEventData, type Payout } from '../src/merchant/payouts/payout.ts'
import { noDestination } from '../src/merchant/payouts/payout-destination.ts'
import { completedPosting } from '../src/merchant/payouts/payout-posting.ts'
import { insertPayout, updatePayout } from '../src/merchant/payouts/payout-store.ts'

const operation = 'payouts'
const bodyHash = Buffer.alloc(32)

type NewPayout = { amount: number; currency: string }

export function contextOf(database: Database): Context {
  const clock = systemClock
  const log = createLog('silent')
  return { clock, ids: systemIds(clock), log, database, failpoint: createFailpoint() }
}

export function mountPayouts(app: FastifyInstance, path: string, database: Database, of: Tenant) {
  const context = contextOf(database)
  const { sql } = database
  app.post<{ Body: NewPayout }>(path, async (request, reply) => {
    const { amount, currency } = request.body
    const key = String(request.headers['idempotency-key'])
    await findIdempotencyKey(sql, of, operation, key)
    await findKycStatus(sql, of.businessId)
    await findPause(sql, 'payouts', new Date())
    await findBusiness(sql, of.businessId)
    const payout = newPayout(context, of, currency, BigInt(amount * 100))
    await database.transaction((tx) => payOut(tx, context, of, key, payout))
    const { id: payoutId, amountMinor } = payout
    const answer = {
      payoutId,
      status: 'completed',
      amount,
      amount_minor: Number(amountMinor),
      currency,
    }
    const type = 'application/json; charset=utf-8'
    return reply.header('content-type', type).send(JSON.stringify(answer))
  })
}

async function payOut(
  tx: Tx,
  context: Context,
  of: Tenant,
  key: string,
  payout: Payout,
): Promise<void> {
  const { id: objectId, currency, createdAt } = payout
  const account = { account: ledgerAccounts.merchantAvailable, currency }
  await insertIdempotencyKey(tx, of, { operation, key, objectId, bodyHash, createdAt })
  await lockCreditBalance(tx, of, account)
  await listBusinessBalances(tx, of)
  await findThresholdMinor(tx, of.businessId, 'payout', currency)
  await insertPayout(tx, of, payout)
  await record(tx, context, of, payout, 'payout.create')
  const ended = { status: 'completed', feeMinor: 0n, endedAt: createdAt } as const
  await updatePayout(tx, of, objectId, {
    ...ended,
    providerTransferId: null,
    nextLookAt: null,
    updatedAt: createdAt,
  })
  await record(tx, context, of, payout, 'payout.complete')
  await post(tx, context, of, completedPosting(payout, 0n))
  const data = completedEventData({ ...payout, ...ended })
  await publish(tx, context, of, { service: 'merchant', type: 'payout.completed', objectId, data })
}

async function record(
  tx: Tx,
  { ids }: Context,
  of: Tenant,
  { id: objectId, currency, amountMinor, createdAt }: Payout,
  action: string,
): Promise<void> {
  await insertAct(tx, of, {
    id: ids.uuid(),
    at: createdAt,
    actorKind: 'key',
    actorId: of.businessId,
    action,
    objectKind: 'payout',
    objectId,
    detail: { currency, amountMinor: amountMinor.toString() },
  })
}

function newPayout(
  { ids }: Context,
  { businessId }: Tenant,
  currency: string,
  amountMinor: bigint,
): Payout {
  const now = new Date()
  return {
    id: ids.uuid(),
    status: 'processing',
    currency,
    amountMinor,
    leftMinor: 0n,
    destinationType: 'service_account',
    ...noDestination,
    requestedByKind: 'key',
    requestedBy: businessId,
    approvalId: null,
    dailyLimitMinor: null,
    provider: 'simulator',
    providerReference: null,
    providerTransferId: null,
    feeMinor: null,
    failureReason: null,
    sends: 0,
    sentAt: null,
    refusedAt: null,
    nextLookAt: null,
    endedAt: null,
    contradictedAt: null,
    createdAt: now,
    updatedAt: now,
  }
}
