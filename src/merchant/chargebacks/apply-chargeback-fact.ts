// The only place that records and changes a chargeback. Callers pass what the provider says. The
// payment is locked, and a fact that is already applied is ignored.
import type { SystemActor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { post } from '../../kernel/ledger/ledger.ts'
import { notify } from '../../kernel/notices/notify.ts'
import { insertDiscrepancy, updateDiscrepancyResolved } from '../discrepancies/discrepancy-store.ts'
import { recordDiscrepancy } from '../discrepancies/record-discrepancy.ts'
import { isCollected, isOpen, type Payment } from '../payments/payment.ts'
import { lockPayment } from '../payments/payment-store.ts'
import { collectedMinor } from '../payments/record-unmatched-charge.ts'
import type { ChargebackFact } from '../provider/provider.ts'
import { type Chargeback, openedPosting, wonPosting } from './chargeback.ts'
import {
  insertChargeback,
  listChargebacksOfPayment,
  updateChargeback,
  updateChargebackDetails,
} from './chargeback-store.ts'
import { decidedNotice, openedNotice } from './dispute-notice.ts'

export async function applyChargebackFact(
  tx: Tx,
  context: Context,
  tenant: Tenant,
  paymentId: string,
  fact: ChargebackFact,
): Promise<void> {
  const payment = assertDefined(
    await lockPayment(tx, tenant, paymentId),
    `the provider knows a payment ${paymentId} that is not here`,
  )
  const step = {
    tx,
    context,
    payment,
    actor: { kind: 'system', name: 'payment provider', ...tenant },
  } as const
  const known = await listChargebacksOfPayment(tx, tenant, paymentId)
  const seen = known.find((one) => one.providerChargebackId === fact.chargebackId)
  if (seen) await keepDetails(step, seen, fact)
  const before = seen ?? (await open(step, known, fact))
  if (!before || before.status === fact.status) return
  // A lost dispute can still be won in the end.
  if (before.status === 'open' || fact.status === 'won') {
    return decide(step, before, fact.status)
  }
  if (before.status === 'won') await recordTakenAgain(step, before, fact)
}

type Step = {
  readonly tx: Tx
  readonly context: Context
  readonly actor: SystemActor
  readonly payment: Payment
}

// The due date and the reason can change, and the merchant answers at the provider. What the
// provider no longer tells is kept.
async function keepDetails(
  { tx, context, actor }: Step,
  { id, status, ...seen }: Chargeback,
  { isContested, ...fact }: ChargebackFact,
): Promise<void> {
  const [dueAt, reason] = [fact.dueAt ?? seen.dueAt, fact.reason ?? seen.reason]
  const isSameDay = dueAt?.getTime() === seen.dueAt?.getTime()
  if (isSameDay && reason === seen.reason && isContested === seen.isContested) return
  await updateChargebackDetails(tx, actor, id, { dueAt, reason, isContested })
  if (status !== 'open' || !isContested || seen.isContested) return
  const act = { action: 'chargeback.contest', objectKind: 'chargeback', objectId: id, detail: {} }
  await recordAct(tx, context, actor, act)
}

// Undefined while our record of the charge is missing, and if nothing was taken.
async function open(
  { tx, context, actor, payment }: Step,
  earlier: readonly Chargeback[],
  fact: ChargebackFact,
): Promise<Chargeback | undefined> {
  const amountMinor = collectedMinor(fact)
  if (isOpen(payment) || !amountMinor) return undefined
  const now = context.clock.now()
  const chargeback: Chargeback = {
    id: context.ids.uuid(),
    paymentId: payment.id,
    providerChargebackId: fact.chargebackId,
    status: 'open',
    amountMinor,
    currency: fact.currency,
    merchantMinor: merchantPart(payment, earlier, fact.currency, amountMinor),
    dueAt: fact.dueAt,
    reason: fact.reason,
    isContested: fact.isContested,
    createdAt: now,
    updatedAt: now,
  }
  await insertChargeback(tx, actor, chargeback)
  await post(tx, context, actor, openedPosting(chargeback))
  const detail = detailOf(chargeback)
  const { id: objectId } = chargeback
  // People are told of the dispute itself, not of a difference.
  await insertDiscrepancy(tx, actor, {
    id: context.ids.uuid(),
    cause: 'chargeback',
    objectKind: 'chargeback',
    objectId,
    detail,
    createdAt: now,
  })
  await notify(tx, context, actor, openedNotice(chargeback, payment))
  const act = { action: 'chargeback.open', objectKind: 'chargeback', objectId, detail }
  await recordAct(tx, context, actor, act)
  context.failpoint('chargeback.opening')
  return chargeback
}

// The merchant got no more than the payment's amount, so no more is taken from it. Money paid
// beyond that is in suspense.
function merchantPart(
  payment: Payment,
  earlier: readonly Chargeback[],
  currency: string,
  amountMinor: bigint,
): bigint {
  if (!isCollected(payment) || currency !== payment.currency) return 0n
  const takenMinor = earlier
    .filter(({ status }) => status !== 'won')
    .reduce((total, { merchantMinor }) => total + merchantMinor, 0n)
  const leftMinor = payment.amountMinor - takenMinor
  return amountMinor < leftMinor ? amountMinor : leftMinor
}

async function decide(
  { tx, context, actor }: Step,
  chargeback: Chargeback,
  status: Chargeback['status'],
): Promise<void> {
  const updatedAt = context.clock.now()
  const { id: objectId } = chargeback
  await updateChargeback(tx, actor, objectId, { status, updatedAt })
  if (status === 'won') await post(tx, context, actor, wonPosting(chargeback))
  await updateDiscrepancyResolved(
    tx,
    actor,
    { cause: 'chargeback', objectKind: 'chargeback', objectId },
    { resolution: status === 'won' ? 'won: the money came back' : 'lost', resolvedAt: updatedAt },
  )
  await notify(tx, context, actor, decidedNotice(chargeback, status))
  await recordAct(tx, context, actor, {
    action: status === 'won' ? 'chargeback.win' : 'chargeback.lose',
    objectKind: 'chargeback',
    objectId,
    detail: detailOf(chargeback),
  })
}

// Returned money was taken again. A person must ask the provider about it; nothing is posted.
async function recordTakenAgain(
  { tx, context, actor }: Step,
  chargeback: Chargeback,
  { status }: ChargebackFact,
): Promise<void> {
  await recordDiscrepancy(tx, context, actor, {
    id: context.ids.uuid(),
    cause: 'chargeback_taken_again',
    objectKind: 'chargeback',
    objectId: chargeback.id,
    detail: { ...detailOf(chargeback), status },
    createdAt: context.clock.now(),
  })
}

function detailOf(chargeback: Chargeback) {
  const { paymentId, providerChargebackId, currency, amountMinor, merchantMinor } = chargeback
  return {
    paymentId,
    providerChargebackId,
    currency,
    amountMinor: amountMinor.toString(),
    merchantMinor: merchantMinor.toString(),
  }
}
