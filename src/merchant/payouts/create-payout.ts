import { z } from 'zod'
import type { KeyActor } from '../../kernel/auth/actor.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { Fault, invalid } from '../../kernel/basics/fault.ts'
import { type Answer, answer, ok } from '../../kernel/http/route.ts'
import { Decimal } from '../../kernel/money/decimal.ts'
import { findEarlierObject, type IdempotentCall } from '../../kernel/operations/idempotency.ts'
import {
  currencyCode,
  idempotencyKeyHeader,
  majorAmount,
  minorUnits,
  oneOf,
  optionalLine,
} from '../../kernel/operations/schemas.ts'
import { requireVerified } from '../business/require-verified.ts'
import { defineHandledRoute, type MerchantContext } from '../context.ts'
import { requireNotPaused } from '../pauses/require-not-paused.ts'
import type { Outcome, Provider, TransferFact } from '../provider/provider.ts'
import {
  type DestinationType,
  type Payout,
  presentRequestedPayout,
  requestedPayoutSchema,
} from './payout.ts'
import { transferInstruction } from './payout-destination.ts'
import { findPayout } from './payout-store.ts'
import { type PayoutInput, requestPayout } from './request-payout.ts'
import { applyTransferFact, refusePayout } from './settle-payout.ts'

const amountMin = new Decimal(1n, 2)
const amountMax = new Decimal(100_000_000n, 0)
const keyMin = 8
const keyMax = 64

// The provider's name stands for `provider` as well.
const spellings = {
  service_account: 'service_account',
  provider_bank: 'provider_bank',
  flutterwave_bank: 'provider_bank',
} as const satisfies Record<string, DestinationType>

const payoutInput = z
  .strictObject({
    amount: majorAmount(amountMin, amountMax),
    currency: currencyCode(),
    destinationType: oneOf(['service_account', 'provider_bank', 'flutterwave_bank']).meta({
      description:
        '`service_account` is the wallet of the business inside the service, and completes at ' +
        'once. `provider_bank`, also spelled `flutterwave_bank`, is the settlement account on file.',
    }),
    bankDetails: z
      .strictObject({
        accountNumber: optionalLine(64).optional(),
        bankCode: optionalLine(64).optional(),
        beneficiaryName: optionalLine(200).optional(),
      })
      .optional()
      .meta({
        description: 'For the bank: what is sent must match the settlement account on file.',
      }),
  })
  .transform(({ destinationType, ...input }, refinement) => ({
    ...input,
    amountMinor: minorUnits(input, 'amount', refinement) ?? 0n,
    destinationType: spellings[destinationType],
  }))

export const createPayout = defineHandledRoute({
  method: 'POST',
  path: '/payouts',
  operationId: 'createPayout',
  tag: 'Payouts',
  summary: 'Pay out settled funds',
  description:
    'For live keys only. The amount is reserved at once, so a balance is never promised twice. ' +
    'Above the threshold of the currency the payout waits for a second person. Sends ' +
    '`payout.completed` or `payout.failed`.',
  scopes: ['payouts:create'],
  headers: idempotencyKeyHeader(keyMin, keyMax),
  body: payoutInput,
  responses: {
    200: {
      description:
        'The payout: completed, or processing until the provider has confirmed it. With a ' +
        '`Idempotency-Key` that was used before, the payout of that call as it is now.',
      schema: requestedPayoutSchema,
    },
    202: {
      description: 'The payout waits for a second person.',
      schema: z.object({
        requiresApproval: z.literal(true),
        approvalId: z.uuid(),
        payoutId: z.uuid(),
      }),
    },
  },
  faults: ['not_implemented', 'provider_failed', 'service_paused'],
  async handle(context, { actor, headers, body }) {
    if (actor.environment === 'test') {
      throw invalid('Payouts are for live keys only: no money moves in the sandbox.')
    }
    const { bankDetails: _, ...asked } = body
    const call = { operation: 'payouts', key: headers['idempotency-key'], body: asked }
    // Before all that a new payout has to pass: a repeat gets its answer also when the balance is
    // used up, the business has lost its verification, or payouts are paused.
    const earlierId = await findEarlierObject(context, actor, call)
    if (earlierId) {
      const payout = await findPayout(context.database.sql, actor, earlierId)
      return repeated(assertDefined(payout, 'an idempotent payout vanished'))
    }
    await requireVerified(context.database.sql, actor)
    await requireNotPaused(context, 'payouts')
    return payOut(context, actor, call, body)
  },
})

// Money moves in three steps, so that no transaction is open while we wait for the provider:
//   reserve: claim the key, promise the amount, record the payout as processing;
//   execute: ask the provider, under the payout's own reference;
//   settle:  record the outcome, post to the ledger, publish the event.
// A crash after the first leaves a processing payout, which the resolver finishes.
async function payOut(
  context: MerchantContext,
  actor: KeyActor,
  call: IdempotentCall,
  input: PayoutInput,
): Promise<Answer> {
  const provider = await providerOf(context, actor, input.currency)
  const { payout, isRepeat } = await context.database.transaction(async (tx) => {
    const requested = await requestPayout(tx, context, actor, call, input)
    context.failpoint('payout.reserving')
    return requested
  })
  context.failpoint('payout.reserved')
  if (isRepeat) return repeated(payout)
  if (payout.status === 'pending') {
    const { id: payoutId, approvalId } = payout
    return answer(202, { requiresApproval: true, approvalId, payoutId })
  }
  if (payout.status === 'completed') return ok(presentRequestedPayout(payout))
  const outcome = await provider.createTransfer(transferInstruction(context.secrets, payout))
  context.failpoint('payout.sent')
  return ok(presentRequestedPayout(await settle(context, actor, payout, outcome)))
}

async function settle(
  context: MerchantContext,
  actor: KeyActor,
  sent: Payout,
  outcome: Outcome<TransferFact>,
): Promise<Payout> {
  if (outcome.kind === 'unknown') {
    context.log.warn({ payoutId: sent.id, reason: outcome.cause }, 'a payout has no answer')
    return sent
  }
  const settled = await context.database.transaction(async (tx) => {
    const payout =
      outcome.kind === 'success'
        ? await applyTransferFact(tx, context, actor, sent.id, outcome.value)
        : await refusePayout(tx, context, actor, sent.id, sent.sends)
    context.failpoint('payout.settling')
    return payout
  })
  context.failpoint('payout.settled')
  if (settled.status !== 'failed') return settled
  // Fixed: what the provider says may hold what is nobody else's business.
  const message = 'The payment provider refused the payout. No money moved.'
  throw new Fault('provider_failed', message)
}

function repeated(payout: Payout): Answer {
  return ok({ ...presentRequestedPayout(payout), idempotentReplay: true })
}

// Asked before anything is recorded: where there is no provider, there is no payout.
async function providerOf(
  context: MerchantContext,
  actor: KeyActor,
  currency: string,
): Promise<Provider> {
  const provider = await context.providerFor(actor)
  if (provider.supports(currency)) return provider
  throw new Fault('not_implemented', `Payouts in ${currency} are not available.`)
}
