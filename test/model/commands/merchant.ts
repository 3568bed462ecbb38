// The merchant's actions on payments: cancel, refund, approve, reject.
import { expect } from 'vitest'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { approveApproval } from '../../../src/merchant/approvals/approve-approval.ts'
import { rejectApproval } from '../../../src/merchant/approvals/reject-approval.ts'
import { defineCommand, nothing, pick, type Subject } from '../command.ts'
import {
  type Approval,
  become,
  executeRefund,
  inFlight,
  isCollected,
  isPaused,
  type Model,
  type Payment,
  type Refund,
  remainingMinor,
  thresholdMinor,
} from '../model.ts'

const cancel = defineCommand(
  'cancel',
  nothing,
  (model, nth) =>
    pick(model.payments, nth, ({ status }) => nth % 2 === 0 && status === 'processing') ??
    pick(model.payments, nth),
  async (model, real, payment) => {
    const answer = await real.call('POST', `/payments/${payment.id}/cancel`)
    const { status } = payment
    if (status === 'pending') become(model, payment, 'cancelled', 'cancel')
    expect(answer.status).toBe(payment.status === 'cancelled' ? 200 : 400)
    model.tally(`cancel × ${status}`)
  },
)

const refundCall = 'POST /transactions/:id/refund'
const faults: Readonly<Record<string, readonly object[]>> = {
  none: [],
  'lost before': [{ operation: refundCall, effect: 'refuse', status: 500 }],
  'lost after': [{ operation: refundCall, effect: 'drop_after' }],
  refused: [{ operation: refundCall, effect: 'refuse', status: 400 }],
  'fails later': [{ operation: 'refund', effect: 'fail_later', after_ms: 0 }],
}

const refund = defineCommand(
  'refund',
  [
    ...Object.keys(faults).flatMap((fault) => [
      { size: 'part' as const, fault },
      { size: 'rest' as const, fault },
    ]),
    { size: 'too much' as const, fault: 'none' },
  ],
  // Mostly one that can be refunded, and often one of which a refund waits for approval.
  (model, nth) =>
    (nth % 2 === 0 ? pick(model.approvals, nth, isPending)?.payment : undefined) ??
    pick(
      model.payments,
      nth,
      (payment) => nth % 9 === 0 || (isCollected(payment) && (nth % 3 === 0 || !inFlight(payment))),
    ),
  async (model, real, payment, { size, fault }) => {
    const amount = { rest: undefined, part: 100_000n, 'too much': 900_000n }[size]
    const answer = await real.under(faults[fault] ?? [], async () => {
      const answered = await real.call('POST', `/payments/${payment.id}/refund`, {
        body: amount === undefined ? {} : { amount: Number(amount) },
      })
      await real.world.simulator.drain()
      return answered
    })
    const expected = expectRefund(model, payment, amount, fault)
    expect(answer.status, `refund of ${payment.status}, ${fault}`).toBe(expected)
    if (expected === 202) {
      const amountMinor = amount ?? remainingMinor(payment)
      const { approvalId: id } = answer.body
      const { refundedMinor } = payment
      model.approvals.push({ id, payment, amountMinor, refundedMinor, state: 'pending' })
    }
    model.tally(`refund × answer ${expected}`)
  },
)

// The status of the answer; what it does to the model, it does.
function expectRefund(
  model: Model,
  payment: Payment,
  wantedMinor: bigint | undefined,
  fault: string,
): number {
  if (isPaused(model, 'refunds')) return 503
  if (!isCollected(payment)) return 400
  if (inFlight(payment)) return 409
  const leftMinor = remainingMinor(payment)
  const amountMinor = wantedMinor ?? leftMinor
  if (leftMinor <= 0n || amountMinor > leftMinor) return 400
  if (payment.refundedMinor + amountMinor > thresholdMinor) return 202
  const isTaken = payment.charge?.status !== 'successful'
  const outcome = isTaken && (fault === 'none' || fault === 'fails later') ? 'refused' : fault
  const states = {
    none: 'executed',
    'lost before': 'lost_before',
    // A provider that refuses does nothing, whether or not its answer arrives.
    'lost after': isTaken ? 'lost_before' : 'lost_after',
    refused: 'failed',
    'fails later': 'failing',
  } as const
  const state = states[outcome as keyof typeof states]
  const made: Refund = { amountMinor, state, askedAtMs: model.nowMs }
  payment.refunds.push(made)
  if (state !== 'executed' && state !== 'failing') {
    model.tally(`refund × ${outcome}`)
    return 502
  }
  executeRefund(model, payment, made, outcome)
  made.state = state
  return 200
}

function isPending({ state }: Approval): boolean {
  return state === 'pending'
}

const approveOne = defineCommand(
  'approve',
  nothing,
  (model, nth) => pick(model.approvals, nth, isPending),
  async (model, real, approval) => {
    const { payment, amountMinor } = approval
    const answer = await runOperation(approveApproval, real.world.context, real.approver, {
      id: approval.id,
    }).then(
      () => 'executed',
      (error: { kind?: string }) => error.kind,
    )
    if (isPaused(model, 'refunds')) {
      expect(answer).toBe('service_paused')
      model.tally('approve × paused')
      return
    }
    const isSame = payment.refundedMinor === approval.refundedMinor
    if (inFlight(payment)) model.tally('approve × another in flight')
    else if (!isSame || amountMinor > remainingMinor(payment)) {
      approval.state = 'void'
      model.tally('approve × void')
    } else {
      approval.state = 'approved'
      payment.refunds.push({ amountMinor, state: 'waiting', askedAtMs: model.nowMs })
      model.tally('approve × executed')
    }
    expect(answer).toBe(approval.state === 'approved' ? 'executed' : 'conflict')
  },
)

const rejectOne = defineCommand(
  'reject',
  nothing,
  (model, nth) => pick(model.approvals, nth, (approval) => nth % 3 === 0 && isPending(approval)),
  async (model, real, approval) => {
    await runOperation(rejectApproval, real.world.context, real.approver, {
      id: approval.id,
      reason: 'No',
    })
    approval.state = 'rejected'
    model.tally('reject × pending')
  },
)

const collected = [
  'create link (amountMinor 500000, isKeyed false)',
  'press Pay',
  'pay by card (none)',
  'come back',
]

export const merchant: Subject = {
  openings: [
    [...collected.slice(0, 2), 'pay by card (stays pending)', 'come back', 'cancel'],
    [
      ...collected,
      // Two wait for approval; a third goes ahead, and its answer is lost.
      ...['refund (size rest, fault none)', 'refund (size rest, fault none)'],
      ...['refund (size part, fault lost after)', 'refund (size part, fault none)', 'approve'],
      ...['advance the clock (15)', 'run the worker', 'approve', 'reject'],
      ...['refund (size rest, fault none)', 'approve', 'run the worker'],
    ],
    [
      'create link (amountMinor 200000, isKeyed true)',
      ...collected.slice(1),
      ...['refund (size part, fault none)', 'refund (size rest, fault fails later)'],
      ...['run the worker', 'refund (size rest, fault lost after)', 'run the worker'],
    ],
  ],
  commands: [
    ...[cancel, refund, refund, refund, refund, refund, refund],
    ...[approveOne, approveOne, approveOne, rejectOne],
  ],
  reached: [
    'cancel × pending',
    'cancel × processing',
    'cancel × succeeded',
    'cancel × failed',
    'cancel × cancelled',
    'refund × none',
    'refund × lost before',
    'refund × lost after',
    'refund × refused',
    'refund × fails later',
    'refund × answer 200',
    'refund × answer 202',
    'refund × answer 400',
    'refund × answer 409',
    'refund × answer 502',
    'succeeded → partially_refunded × refund',
    'succeeded → refunded × refund',
    'partially_refunded → refunded × refund',
    'approve × executed',
    'approve × void',
    'approve × another in flight',
    'reject × pending',
  ],
}
