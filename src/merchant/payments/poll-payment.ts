// The poller, as a chain of jobs for each payment: queued in the transaction that creates the
// payment, and queued again after each look with a growing delay, until the payment has ended and
// is settled. Webhooks only make this faster; nothing depends on them.
import { z } from 'zod'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { addSeconds } from '../../kernel/basics/clock.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { enqueueJob } from '../../kernel/jobs/enqueue-job.ts'
import { CauseMissing, defineJob } from '../../kernel/jobs/job.ts'
import { defineSchedule } from '../../kernel/jobs/schedule.ts'
import type { MerchantContext } from '../context.ts'
import { isCollected, isOpen, type Payment } from './payment.ts'
import { listStalePayments, type StalePayment } from './payment-store.ts'
import { recordUnresolvedPayment } from './record-unresolved-payment.ts'
import { abandonPayment, resolvePayment } from './resolve-payment.ts'

const minute = 60
const hour = 60 * minute

// While the payer may be paying. The last delay repeats.
const openGapsSeconds = [minute, 2 * minute, 5 * minute, 10 * minute, 20 * minute, 30 * minute]
// While the provider has the money and has not settled it.
const unsettledGapsSeconds = [10 * minute, hour, 6 * hour, 24 * hour]
// A charge that is not settled after two months will not be. A person finds it in the receivables.
const unsettledSecondsMax = 60 * 24 * hour
// The provider's clock is not ours: this long after its time, a session has certainly ended.
const sessionGraceSeconds = 5 * minute

// Long after the chain should have ended a payment, and how many are read at a time.
const staleSeconds = 24 * hour
const stalePageSize = 500
// Payments that are open for so long are decided by people, so there is no hurry.
const staleGapSeconds = 6 * hour

// `look` numbers the jobs of the chain, so that a job that ran twice does not start a second chain.
const lookSchema = z.object({ paymentId: z.uuid(), look: z.int().min(1) })

export const pollPaymentJob = defineJob({
  // Queued jobs have this kind, so it keeps its old name.
  kind: 'look-at-payment',
  schema: lookSchema,
  attemptsMax: 20,
  retryDelaysSeconds: [10, minute, 10 * minute, hour],
  leaseSeconds: 60,
  async run(context: MerchantContext, { tenant, payload }) {
    await pollPayment(context, assertDefined(tenant, 'a look without its tenant'), payload)
  },
})

export async function queueFirstPoll(
  tx: Tx,
  context: MerchantContext,
  tenant: Tenant,
  payment: Payment,
): Promise<void> {
  await queuePoll(tx, context, tenant, { paymentId: payment.id, look: 1 }, payment)
}

async function pollPayment(
  context: MerchantContext,
  tenant: Tenant,
  { paymentId, look }: z.infer<typeof lookSchema>,
): Promise<void> {
  const payment = await resolveOrAbandon(context, tenant, paymentId)
  if (!payment) throw new CauseMissing('a look at no payment')
  context.failpoint('look.taken')
  await context.database.transaction((tx) =>
    queuePoll(tx, context, tenant, { paymentId, look: look + 1 }, payment),
  )
  context.failpoint('look.queued')
}

// A payment times out only if its session has certainly ended and the provider, asked after that,
// knows no charge.
async function resolveOrAbandon(
  context: MerchantContext,
  tenant: Tenant,
  paymentId: string,
): Promise<Payment | undefined> {
  const isLate = (payment: Payment) => context.clock.now() >= sessionEnd(payment)
  const resolved = await resolvePayment(context, tenant, paymentId)
  if (!resolved) return undefined
  const { payment, charge } = resolved
  if (!isOpen(payment) || charge !== 'none' || !isLate(payment)) {
    await recordUnresolvedPayment(context, tenant, payment)
    return payment
  }
  return abandonPayment(context, tenant, paymentId, 'abandoned')
}

// The safety net below the chain: a job that failed too often is dead, and its payment would stay
// open. Every run goes through all of them, so that none is starved.
export const pollStalePaymentsSchedule = defineSchedule({
  name: 'look-at-stale-payments',
  everySeconds: staleGapSeconds,
  async run(context: MerchantContext, signal) {
    const { sql } = context.database
    const before = addSeconds(context.clock.now(), -staleSeconds)
    let after: StalePayment | undefined
    do {
      const page = await listStalePayments(sql, before, after, stalePageSize)
      for (const stale of page) {
        if (signal.aborted) return
        await pollStale(context, stale)
      }
      after = page.length < stalePageSize ? undefined : page.at(-1)
    } while (after)
  },
})

async function pollStale(
  context: MerchantContext,
  { id, businessId, environment }: StalePayment,
): Promise<void> {
  try {
    await resolveOrAbandon(context, { businessId, environment }, id)
  } catch (error) {
    // The others must not wait for this one. The next run tries again.
    context.log.error({ paymentId: id, err: error }, 'could not poll a payment')
  }
}

async function queuePoll(
  tx: Tx,
  context: MerchantContext,
  tenant: Tenant,
  payload: z.infer<typeof lookSchema>,
  payment: Payment,
): Promise<void> {
  const runAt = nextLookAt(payment, payload.look, context.clock.now())
  if (!runAt) return
  const uniqueKey = `${payload.paymentId}:${payload.look}`
  await enqueueJob(tx, context, pollPaymentJob, { tenant, payload, runAt, uniqueKey })
}

// Null if nothing more can happen.
function nextLookAt(payment: Payment, look: number, now: Date): Date | null {
  const end = sessionEnd(payment)
  if (isOpen(payment)) {
    if (now >= addSeconds(end, staleSeconds)) return addSeconds(now, staleGapSeconds)
    const next = addSeconds(now, gap(openGapsSeconds, look))
    return next > end && now < end ? end : next
  }
  if (isCollected(payment)) {
    const isOver = payment.settledAt || now >= addSeconds(payment.createdAt, unsettledSecondsMax)
    return isOver ? null : addSeconds(now, gap(unsettledGapsSeconds, look))
  }
  // A payer may still have paid after a cancel or a decline, until the session ended.
  return now < end ? end : null
}

function sessionEnd({ checkoutExpiresAt }: Payment): Date {
  return addSeconds(checkoutExpiresAt, sessionGraceSeconds)
}

function gap(gapsSeconds: readonly number[], look: number): number {
  return gapsSeconds[Math.min(look, gapsSeconds.length) - 1] ?? minute
}
