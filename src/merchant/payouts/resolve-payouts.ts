// Finishes payouts that a request could not: those with an unknown outcome, approved ones, and
// accepted ones until the provider reports the result. Afterwards it looks a few more times, since
// banks return transfers.
//
// The provider refuses a second transfer with the same reference, so sending again can't pay twice.
// But the refusal of the second is not a failure of the first. So a reference is looked up before
// it is sent again, is sent again only if the provider has not known it for a while, and a refusal
// then fails the payout only if the provider still does not know it a day later.
import { z } from 'zod'
import type { SystemActor } from '../../kernel/auth/actor.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { addSeconds } from '../../kernel/basics/clock.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import { CauseMissing, defineJob } from '../../kernel/jobs/job.ts'
import { defineSchedule } from '../../kernel/jobs/schedule.ts'
import type { MerchantContext } from '../context.ts'
import { pollEach } from '../poll-each.ts'
import { providerOf } from '../provider/choose-provider.ts'
import type { Provider, TransferFact } from '../provider/provider.ts'
import type { Payout } from './payout.ts'
import { transferInstruction } from './payout-destination.ts'
import {
  isRefusalCertain,
  mayBeSentAgain,
  nextLookAt,
  pollAfterSendSeconds,
  sentAgainFrom,
} from './payout-polling.ts'
import {
  findPayout,
  listPayoutsToLookAt,
  type PayoutOfTenant,
  updateNextLook,
  updatePayout,
  updateSends,
} from './payout-store.ts'
import { recordUnresolvedPayout } from './record-unresolved-payout.ts'
import { applyTransferFact, refusePayout } from './settle-payout.ts'

export const resolvePayoutsSchedule = defineSchedule({
  name: 'resolve-payouts',
  everySeconds: 5,
  run: (context: MerchantContext, signal) => resolvePayouts(context, signal),
})

// For a message of the provider, which says that something happened, but not what.
export const resolvePayoutJob = defineJob({
  kind: 'resolve-payout',
  schema: z.object({ payoutId: z.uuid() }),
  // The schedule looks anyway. This job is only faster.
  attemptsMax: 5,
  retryDelaysSeconds: [5, 30, 120],
  leaseSeconds: 60,
  endsWithoutCause: true,
  async run(context: MerchantContext, { tenant, payload }) {
    const known = assertDefined(tenant, 'a message without its tenant')
    const payout = await findPayout(context.database.sql, known, payload.payoutId)
    if (!payout) throw new CauseMissing('a message about no payout')
    if (payout.sends === 0) return
    const step = await newStep(context, known, payout)
    const fact = await findFact(step)
    if (fact === 'unknown') throw new Error('the provider did not say')
    if (fact) await apply(step, fact)
  },
})

const batchSize = 100

async function resolvePayouts(context: MerchantContext, signal: AbortSignal): Promise<void> {
  const { database, clock, log } = context
  const due = await listPayoutsToLookAt(database.sql, clock.now(), batchSize)
  await pollEach(
    due,
    signal,
    (entry) => look(context, entry),
    ({ payout: { id: payoutId } }, error) =>
      log.error({ payoutId, err: error }, 'could not look up a payout'),
  )
}

type Step = {
  readonly context: MerchantContext
  readonly actor: SystemActor
  readonly provider: Provider
  readonly payout: Payout
}

async function newStep(context: MerchantContext, tenant: Tenant, payout: Payout): Promise<Step> {
  const provider = await providerOf(context, tenant, payout.provider)
  return { context, actor: resolver(tenant), provider, payout }
}

function resolver(tenant: Tenant): SystemActor {
  return { kind: 'system', name: 'resolve payouts', ...tenant }
}

async function look(context: MerchantContext, { tenant, payout }: PayoutOfTenant): Promise<void> {
  const now = context.clock.now()
  if (!(await updateNextLook(context.database.sql, tenant, payout, nextLookAt(payout, now)))) return
  context.failpoint('payout-look.claimed')
  try {
    await resolve(await newStep(context, tenant, payout), now)
  } finally {
    await recordUnresolvedPayout(context, resolver(tenant), payout)
  }
}

async function resolve(step: Step, now: Date): Promise<void> {
  const { context, payout } = step
  if (payout.sends === 0) return send(step, now)
  const fact = await findFact(step)
  if (fact === 'unknown') return
  if (fact) return apply(step, fact)
  if (payout.status !== 'processing') return
  if (isRefusalCertain(payout, now)) return refuse(step, payout.sends)
  if (mayBeSentAgain(payout, now)) return send(step, now)
  const told = { payoutId: payout.id, sentAgainFrom: sentAgainFrom(payout) }
  context.log.info(told, 'the provider does not know a payout whose answer was lost')
}

// Undefined if the provider definitely does not know the reference.
async function findFact(step: Step): Promise<TransferFact | undefined | 'unknown'> {
  const { context, provider, payout } = step
  const reference = assertDefined(payout.providerReference, 'a transfer without a reference')
  const found = await provider.findTransfer(reference)
  context.failpoint('payout-look.looked-up')
  if (found.kind !== 'success') return 'unknown'
  return found.value ?? undefined
}

async function send(step: Step, now: Date): Promise<void> {
  const { context, actor, provider, payout } = step
  const at = { now, nextLookAt: addSeconds(now, pollAfterSendSeconds) }
  if (!(await context.database.transaction((tx) => updateSends(tx, actor, payout, at)))) return
  if (payout.sends > 0) context.log.info({ payoutId: payout.id }, 'sending a payout again')
  context.failpoint('payout-look.claimed-send')
  const outcome = await provider.createTransfer(transferInstruction(context.secrets, payout))
  context.failpoint('payout-look.sent')
  if (outcome.kind === 'unknown') return
  if (outcome.kind === 'success') return apply(step, outcome.value)
  if (payout.sends === 0) return refuse(step, 1)
  const fact = await findFact(step)
  if (fact && fact !== 'unknown') return apply(step, fact)
  await context.database.transaction((tx) =>
    updatePayout(tx, actor, payout.id, { refusedAt: now, updatedAt: now }),
  )
}

async function apply({ context, actor, payout }: Step, fact: TransferFact): Promise<void> {
  await context.database.transaction(async (tx) => {
    await applyTransferFact(tx, context, actor, payout.id, fact)
    context.failpoint('payout-look.settling')
  })
  context.failpoint('payout-look.settled')
}

async function refuse({ context, actor, payout }: Step, send: number): Promise<void> {
  await context.database.transaction((tx) => refusePayout(tx, context, actor, payout.id, send))
}
