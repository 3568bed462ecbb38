// POST /transfers. The reference is unique: a repeated transfer is refused, whatever the outcome of
// the first. The wallet is debited when the transfer is accepted. A transfer without enough money
// is also accepted and fails later, as at the provider.
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { add, negate } from '../../kernel/money/decimal.ts'
import { writeJson } from '../../kernel/money/exact-number.ts'
import { resolveBankAccount } from '../banks/resolve-account.ts'
import type { SimulatorContext } from '../context.ts'
import { insertEffect } from '../effects/effect-store.ts'
import type { Endpoint } from '../endpoint.ts'
import { success } from '../envelope.ts'
import {
  currencyOf,
  type Fields,
  optionalText,
  refuse,
  requiredAmount,
  requiredText,
} from '../fields.ts'
import { consumeRules } from '../rules/consume-rules.ts'
import { findEffect } from '../rules/rule.ts'
import { planSteps } from '../steps/plan-steps.ts'
import { insertOrUpdateWallet, updateWalletIfCovered } from '../wallets/wallet-store.ts'
import { queueWebhook } from '../webhooks/queue-webhook.ts'
import type { World } from '../world.ts'
import {
  messages,
  planTransfer,
  presentTransfer,
  type Transfer,
  type TransferStatus,
  transferFee,
  transferWebhook,
} from './transfer.ts'
import { insertTransfer, lockTransfer, updateTransfer } from './transfer-store.ts'

const lengthMax = 100

export const createTransfer: Endpoint = {
  method: 'POST',
  path: '/transfers',
  async handle(context, world, { body }) {
    const { tenant } = world
    const wanted = readTransfer(body, context.clock.now())
    const { amount, reference } = wanted
    const transfer = await context.database.transaction(async (tx) => {
      const subject = { amount, reference }
      const effects = await consumeRules(tx, world, 'transfer', ['transfer'], subject)
      const requiresApproval = findEffect(effects, 'stay_new') !== undefined
      const fresh = { ...wanted, requiresApproval }
      const id = await insertTransfer(tx, tenant, fresh)
      if (id === undefined) throw refuse('Transfer with this reference already exists')
      const total = add(amount, wanted.fee)
      const isDebited = await updateWalletIfCovered(tx, tenant, wanted.debitCurrency, total)
      const accepted: Transfer = { ...fresh, id, isDebited }
      if (isDebited) {
        await updateTransfer(tx, tenant, accepted)
        await recordEffect(tx, context, world, accepted, 'transfer')
      }
      const now = context.clock.now()
      const plan = planTransfer(reference, isDebited, effects)
      await planSteps(tx, tenant, { kind: 'transfer', id }, now, now, plan)
      return accepted
    })
    return success('Transfer Queued Successfully', presentTransfer(transfer))
  },
}

// Changes the status of an accepted transfer. A failed one returns the money, even if it had been
// reported as successful.
export async function moveTransfer(
  tx: Tx,
  context: SimulatorContext,
  world: World,
  id: bigint,
  status: TransferStatus,
  note: string | null,
): Promise<void> {
  const { tenant } = world
  const transfer = assertDefined(await lockTransfer(tx, tenant, id), 'a step without its transfer')
  if (transfer.status === status || transfer.status === 'FAILED') return
  const isReturned = status === 'FAILED' && transfer.isDebited
  const completeMessage = note ?? messages[status]
  const moved: Transfer = {
    ...transfer,
    status,
    completeMessage,
    isDebited: transfer.isDebited && !isReturned,
  }
  await updateTransfer(tx, tenant, moved)
  if (isReturned) {
    const total = add(transfer.amount, transfer.fee)
    const movement = { currency: transfer.debitCurrency, available: total, ledger: total }
    await insertOrUpdateWallet(tx, tenant, movement)
    await recordEffect(tx, context, world, transfer, 'transfer_return')
  }
  if (status !== 'SUCCESSFUL' && status !== 'FAILED') return
  const opposite = status === 'SUCCESSFUL' ? 'FAILED' : 'SUCCESSFUL'
  const { reference, amount } = transfer
  await queueWebhook(tx, context, world, {
    event: 'transfer.completed',
    reference,
    amount,
    body: transferWebhook(moved),
    contradiction: transferWebhook({
      ...moved,
      status: opposite,
      completeMessage: messages[opposite],
    }),
  })
}

function readTransfer(body: Fields, createdAt: Date): Omit<Transfer, 'id'> {
  const accountBank = requiredText(body, 'account_bank', 11)
  const accountNumber = requiredText(body, 'account_number', 20)
  const amount = requiredAmount(body)
  const currency = currencyOf(body)
  const account = resolveBankAccount(accountBank, accountNumber)
  return {
    reference: requiredText(body, 'reference', lengthMax),
    accountBank,
    accountNumber,
    fullName: optionalText(body, 'beneficiary_name') ?? account.accountName,
    bankName: account.bankName,
    amount,
    fee: transferFee(amount, currency),
    currency,
    debitCurrency: optionalText(body, 'debit_currency')
      ? currencyOf(body, 'debit_currency')
      : currency,
    status: 'NEW',
    isDebited: false,
    requiresApproval: false,
    completeMessage: messages.NEW,
    narration: optionalText(body, 'narration', lengthMax) ?? null,
    callbackUrl: optionalText(body, 'callback_url', lengthMax) ?? null,
    meta: writeJson(body.meta ?? null),
    createdAt,
  }
}

async function recordEffect(
  tx: Tx,
  { clock }: SimulatorContext,
  { tenant }: World,
  { reference, id, amount, currency }: Transfer,
  kind: 'transfer' | 'transfer_return',
): Promise<void> {
  await insertEffect(tx, tenant, {
    kind,
    reference,
    subjectId: id,
    amount: kind === 'transfer' ? amount : negate(amount),
    currency,
    createdAt: clock.now(),
  })
}
