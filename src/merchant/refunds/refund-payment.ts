import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { addSeconds } from '../../kernel/basics/clock.ts'
import { brokenRule, Fault, notFound } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { answer, ok } from '../../kernel/http/route.ts'
import type { CallContext } from '../../kernel/operations/operation.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { describedAs, minorAmount, minorNumber, uuid } from '../../kernel/operations/schemas.ts'
import { checkThreshold } from '../approvals/check-threshold.ts'
import { requestApproval } from '../approvals/request-approval.ts'
import { verified } from '../business/require-verified.ts'
import { defineOperation, defineRoute, type MerchantContext } from '../context.ts'
import { notPaused } from '../pauses/require-not-paused.ts'
import { type Payment, paymentSchema } from '../payments/payment.ts'
import { findPayment } from '../payments/payment-store.ts'
import { readPaymentRecord } from '../payments/read-payment-records.ts'
import { providerOf } from '../provider/choose-provider.ts'
import type { Outcome, Provider, RefundFact } from '../provider/provider.ts'
import { checkOverdraft } from './check-overdraft.ts'
import { findProviderRefund } from './find-provider-refund.ts'
import {
  acceptRefundKey,
  type RequestedRefund,
  readRepeatedRefund,
} from './read-repeated-refund.ts'
import { pollAfterSendSeconds, type Refund, refundInstruction } from './refund.ts'
import {
  chargedBackMessage,
  recordRefund,
  refundApprovalRequest,
  requireMinimum,
  resolveRefund,
} from './reserve-refund.ts'
import { reserveSend } from './reserve-send.ts'
import { settleRefund } from './settle-refund.ts'
import { heldRefundSchema, idempotentReplay, presentRefund, refundSchema } from './shown-refund.ts'

const fullScope = 'refunds:create_full'
const partialScope = 'refunds:create_partial'

// Money moves in three steps, so that no transaction is open while we wait for the provider:
//   reserve: lock the payment, check the rules, record the refund as pending;
//   execute: list the provider's refunds, so that none is mistaken for ours, and send;
//   settle: record the outcome, post to the ledger, publish the event.
// After a crash, the resolver looks the pending refund up, and never sends it.
export const refundPayment = defineOperation({
  name: 'refund-payment',
  summary: 'Refund a payment, in full or in part',
  kind: 'write',
  // Without an amount, the remaining amount is refunded.
  input: z.strictObject({ paymentId: uuid(), amountMinor: minorAmount().optional() }),
  scopes: [fullScope, partialScope],
  inputScopes: ({ amountMinor }) => [amountMinor === undefined ? fullScope : partialScope],
  roles: writerRoles,
  idempotency: { name: 'refunds', accept: acceptRefundKey, replay: readRepeatedRefund },
  checks: [verified, notPaused('refunds')],
  async run(context, actor, { paymentId, amountMinor }): Promise<RequestedRefund> {
    const payment = await findPayment(context.database.sql, actor, paymentId)
    if (!payment) throw notFound('payment')
    // Before anything is recorded: only the provider that collected the money can refund it.
    const provider = await providerOf(context, actor, payment.provider)
    const reserved = await context.database.transaction((tx) =>
      reserve(tx, context, actor, provider, { paymentId, wantedMinor: amountMinor }),
    )
    context.failpoint('refund.reserved')
    if ('approvalId' in reserved) return reserved
    await prepare(context, actor, provider, reserved)
    context.failpoint('refund.claimed-send')
    const outcome = await provider.refund(refundInstruction(reserved.payment, reserved.refund))
    context.failpoint('refund.sent')
    return settle(context, actor, reserved.refund, outcome)
  },
})

// Any text is taken where it is ignored; what is described is what a business can switch on.
const keyHeader = z.object({
  'idempotency-key': describedAs(z.string().optional(), {
    type: 'string',
    minLength: 8,
    maxLength: 64,
    pattern: '^[!-~]([ -~]*[!-~])?$',
    description: 'Ignored, unless the business has switched it on. Then 8 to 64 characters.',
  }),
})

export const refundPaymentRoute = defineRoute({
  operation: refundPayment,
  method: 'POST',
  path: '/payments/:id/refund',
  operationId: 'refundPayment',
  tag: 'Payments',
  description:
    'Without `amount`, the remaining amount is refunded. Each call is a new refund; while the outcome ' +
    'of one is not known, others of the same payment are 409. A refund that was answered with 502, ' +
    'or not at all, is never sent again: it counts if the provider has it, and fails if the ' +
    'provider does not have it a day later. Above the threshold of the currency ' +
    'a live refund needs an approval. Sends `payment.refunded`. An `Idempotency-Key` is ignored, ' +
    'unless the business has switched it on in its settings: then a repeat with the same key gets ' +
    'the first refund as it is now, also if it failed, and nothing is sent again.',
  bodyScopes: [
    { scope: fullScope, when: '`amount` is left out' },
    { scope: partialScope, when: '`amount` is sent' },
  ],
  params: z.object({ id: uuid() }),
  headers: keyHeader,
  body: z.strictObject({ amount: minorAmount().optional().meta({ example: 150_000 }) }),
  responses: {
    200: {
      description: 'The payment after the refund.',
      schema: paymentSchema.extend({
        refund_id: z.uuid(),
        refund_amount: minorNumber().meta({ description: 'The amount of this refund.' }),
        refund_status: refundSchema.shape.status,
        idempotentReplay,
      }),
    },
    202: {
      description: 'The refund is waiting for approval; the payment is unchanged.',
      schema: heldRefundSchema,
    },
  },
  faults: ['not_found', 'conflict', 'provider_failed', 'service_paused'],
  input: ({ params, body }) => ({ paymentId: params.id, amountMinor: body.amount }),
  idempotencyKey: ({ headers }) => headers['idempotency-key'],
  async answer(result, { database }, { actor }, { isReplay }) {
    const replay = isReplay ? { idempotentReplay: true } : {}
    if ('approvalId' in result) return answer(202, { requiresApproval: true, ...result, ...replay })
    const { payment, refund } = result
    return ok({
      ...(await readPaymentRecord(database.sql, actor, payment)),
      refund_id: refund.id,
      refund_amount: refund.amountMinor,
      refund_status: presentRefund(refund).status,
      ...replay,
    })
  },
})

type Reserved = { readonly payment: Payment; readonly refund: Refund }

async function reserve(
  tx: Tx,
  context: MerchantContext & CallContext,
  actor: Actor,
  provider: Provider,
  { paymentId, wantedMinor }: { paymentId: string; wantedMinor: bigint | undefined },
): Promise<RequestedRefund> {
  const id = context.ids.uuid()
  // First, so that a repeat waits here until the first call has recorded its refund or approval.
  await context.call.claimKey(tx, id)
  const resolved = await resolveRefund(tx, actor, paymentId, wantedMinor)
  const { payment, amountMinor } = resolved
  requireMinimum(provider, resolved)
  // All refunds of the payment together, so that splitting a refund does not avoid the threshold.
  const totalMinor = payment.refundedMinor + amountMinor
  const threshold = await checkThreshold(tx, actor, 'refund', payment.currency, totalMinor)
  const overdraft = await checkOverdraft(tx, actor, { currency: payment.currency, amountMinor })
  if (threshold.isHeld || overdraft.isHeld) {
    const approvalId = await requestApproval(tx, context, actor, {
      id,
      operation: 'refund',
      objectId: paymentId,
      request: refundApprovalRequest(resolved),
    })
    context.failpoint('approval.requesting')
    return { approvalId, paymentId }
  }
  const refund = await recordRefund(tx, context, actor, resolved, {
    id,
    thresholdMinor: threshold.thresholdMinor,
    overdraftLeftMinor: overdraft.overdraftLeftMinor,
    // Until then, this request sends it.
    nextLookAt: addSeconds(context.clock.now(), pollAfterSendSeconds),
  })
  return { payment, refund }
}

// If the list can't be read, nothing is sent.
async function prepare(
  context: MerchantContext,
  actor: Actor,
  provider: Provider,
  { payment, refund }: Reserved,
): Promise<void> {
  const found = await findProviderRefund(context, actor, provider, payment, refund)
  context.failpoint('refund.listed')
  if (found === 'unknown') throw await endUnsent(context, actor, refund)
  const claim = await context.database.transaction((tx) =>
    reserveSend(tx, context, actor, refund, found.others),
  )
  if (claim === 'taken') throw await endUnsent(context, actor, refund)
  if (claim === 'charged_back') throw brokenRule(chargedBackMessage)
}

// Only the request sends it, so the caller can be told for certain that nothing was refunded.
async function endUnsent(context: MerchantContext, actor: Actor, refund: Refund): Promise<Fault> {
  const reason = 'it could not be sent to the provider'
  const unsent = { status: 'failed', refundId: null, send: 0, reason } as const
  await context.database.transaction((tx) => settleRefund(tx, context, actor, refund, unsent))
  const message = 'The refund could not be sent to the payment provider. Nothing was refunded.'
  return new Fault('provider_failed', message)
}

async function settle(
  context: MerchantContext,
  actor: Actor,
  pending: Refund,
  outcome: Outcome<RefundFact>,
) {
  if (outcome.kind === 'unknown') {
    context.log.warn({ refundId: pending.id, reason: outcome.cause }, 'a refund has no answer')
    throw unknownFault()
  }
  const verdict =
    outcome.kind === 'success' ? outcome.value : { ...refused, reason: outcome.reason }
  const settled = await context.database.transaction(async (tx) => {
    const after = await settleRefund(tx, context, actor, pending, verdict)
    context.failpoint('refund.settling')
    return after
  })
  context.failpoint('refund.settled')
  if (settled.refund.status === 'failed') throw refusedFault()
  if (settled.refund.status === 'pending') throw unknownFault()
  return settled
}

// The request sends first, or not at all.
const refused = { status: 'failed', refundId: null, send: 1 } as const

// Fixed messages, because the provider's own may contain private data.
function refusedFault(): Fault {
  const message = 'The payment provider refused the refund. Nothing was refunded.'
  return new Fault('provider_failed', message)
}

function unknownFault(): Fault {
  const message =
    'The payment provider did not confirm the refund. Its outcome is being resolved; until then ' +
    'further refunds of this payment are refused.'
  return new Fault('provider_failed', message)
}
