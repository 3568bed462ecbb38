import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { brokenRule, Fault } from '../../kernel/basics/fault.ts'
import { answer, ok } from '../../kernel/http/route.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import {
  currencyCode,
  idempotencyKeyHeader,
  minorAmount,
  minorUnits,
  oneOf,
  optionalLine,
} from '../../kernel/operations/schemas.ts'
import { checkAmountLimit, limitedMajorAmount } from '../amount-limit.ts'
import { verified } from '../business/require-verified.ts'
import { defineOperation, defineRoute, type MerchantContext } from '../context.ts'
import { notPaused } from '../pauses/require-not-paused.ts'
import type { Outcome, Provider, TransferFact } from '../provider/provider.ts'
import {
  type DestinationType,
  destinationTypes,
  type Payout,
  presentRequestedPayout,
  requestedPayoutSchema,
} from './payout.ts'
import { transferInstruction } from './payout-destination.ts'
import { findPayout } from './payout-store.ts'
import { requestPayout } from './request-payout.ts'
import { applyTransferFact, refusePayout } from './settle-payout.ts'

const keyMin = 8
const keyMax = 64

const bankDetails = z
  .strictObject({
    accountNumber: optionalLine(64).optional(),
    bankCode: optionalLine(64).optional(),
    beneficiaryName: optionalLine(200).optional(),
  })
  .optional()
  .meta({ description: 'For the bank: must match the settlement account on file.' })

// The account that a person saw when they asked. The payout goes to it, or to none.
const shownAccount = z
  .strictObject({ bankCode: z.string(), accountEnding: z.string(), beneficiaryName: z.string() })
  .optional()

// A payout of an earlier call is returned in its current state.
export type CreatedPayout = { readonly payout: Payout; readonly isReplay: boolean }

// Money moves in three steps, so that no transaction is open while we wait for the provider:
//   reserve: claim the key, reserve the amount, record the payout as processing;
//   execute: ask the provider, with the payout's own reference;
//   settle: record the outcome, post to the ledger, publish the event.
// A crash after the first step leaves a processing payout, which the resolver finishes.
export const createPayout = defineOperation({
  name: 'create-payout',
  summary: 'Pay out settled funds',
  kind: 'write',
  input: z
    .strictObject({
      amountMinor: minorAmount(),
      currency: currencyCode(),
      destinationType: oneOf(destinationTypes),
      bankDetails,
      shownAccount,
    })
    .superRefine((input, refinement) => checkAmountLimit(input, 'amountMinor', refinement)),
  scopes: ['payouts:create'],
  roles: writerRoles,
  idempotency: {
    name: 'payouts',
    // An account number could be guessed from its hash.
    compared: ({ bankDetails: _, ...rest }) => rest,
    async replay({ database }, actor, id) {
      const payout = await findPayout(database.sql, actor, id)
      return { payout: assertDefined(payout, 'an idempotent payout vanished'), isReplay: true }
    },
  },
  checks: [liveOnly, verified, notPaused('payouts')],
  async run(context, actor, input): Promise<CreatedPayout> {
    const provider = await providerOf(context, actor, input.currency)
    const payout = await context.database.transaction(async (tx) => {
      const requested = await requestPayout(tx, context, actor, {
        ...input,
        provider: provider.name,
      })
      context.failpoint('payout.reserving')
      return requested
    })
    context.failpoint('payout.reserved')
    if (payout.status !== 'processing') return { payout, isReplay: false }
    const outcome = await provider.createTransfer(transferInstruction(context.secrets, payout))
    context.failpoint('payout.sent')
    return { payout: await settle(context, actor, payout, outcome), isReplay: false }
  },
})

// `provider` can also be written with the provider's name.
const spellings = {
  service_account: 'service_account',
  provider_bank: 'provider_bank',
  flutterwave_bank: 'provider_bank',
} as const satisfies Record<string, DestinationType>

const payoutBody = z
  .strictObject({
    amount: limitedMajorAmount(),
    currency: currencyCode(),
    destinationType: oneOf(['service_account', 'provider_bank', 'flutterwave_bank']).meta({
      description:
        '`service_account` is the wallet of the business inside the service, and completes at ' +
        'once. `provider_bank`, also spelled `flutterwave_bank`, is the settlement account on file.',
    }),
    bankDetails,
  })
  .transform(({ amount, destinationType, ...body }, refinement) => ({
    ...body,
    amountMinor: minorUnits({ ...body, amount }, 'amount', refinement) ?? 0n,
    destinationType: spellings[destinationType],
  }))

export const createPayoutRoute = defineRoute({
  operation: createPayout,
  method: 'POST',
  path: '/payouts',
  operationId: 'createPayout',
  tag: 'Payouts',
  description:
    'For live keys only. The amount is reserved at once, so a balance is never promised twice. ' +
    'Above the approval threshold of the currency the payout needs an approval. Sends ' +
    '`payout.completed` or `payout.failed`.',
  headers: idempotencyKeyHeader(keyMin, keyMax),
  body: payoutBody,
  responses: {
    200: {
      description:
        'The payout: completed, or processing until the provider has confirmed it. With a ' +
        '`Idempotency-Key` that was used before, the payout of that call as it is now.',
      schema: requestedPayoutSchema,
    },
    202: {
      description: 'The payout is waiting for approval.',
      schema: z.object({
        requiresApproval: z.literal(true),
        approvalId: z.uuid(),
        payoutId: z.uuid(),
      }),
    },
  },
  faults: ['not_implemented', 'provider_failed', 'service_paused'],
  input: ({ body }) => body,
  idempotencyKey: ({ headers }) => headers['idempotency-key'],
  answer({ payout, isReplay }) {
    if (isReplay) return ok({ ...presentRequestedPayout(payout), idempotentReplay: true })
    if (payout.status !== 'pending') return ok(presentRequestedPayout(payout))
    const { id: payoutId, approvalId } = payout
    return answer(202, { requiresApproval: true, approvalId, payoutId })
  },
})

function liveOnly(_context: MerchantContext, { environment }: Actor): void {
  if (environment === 'live') return
  throw brokenRule('Payouts are for live keys only: no money moves in the sandbox.')
}

async function settle(
  context: MerchantContext,
  actor: Actor,
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
  // A fixed message, because the provider's own may contain private data.
  const message = 'The payment provider refused the payout. No money moved.'
  throw new Fault('provider_failed', message)
}

// Checked before anything is recorded: without a provider there is no payout.
async function providerOf(
  context: MerchantContext,
  actor: Actor,
  currency: string,
): Promise<Provider> {
  const provider = await context.providerFor(actor)
  if (provider.supports(currency)) return provider
  throw new Fault('not_implemented', `Payouts in ${currency} are not available.`)
}
