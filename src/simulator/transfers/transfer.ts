// A transfer from the wallet to a bank account. States are in upper case here. A transfer that
// waits for an approval stays NEW.
import type { Decimal } from '../../kernel/money/decimal.ts'
import { parseJson } from '../../kernel/money/exact-number.ts'
import { isLess, readDecimal } from '../decimals.ts'
import { type Effect, findEffect } from '../rules/rule.ts'
import type { PlannedStep } from '../steps/plan-steps.ts'

export const transferStatuses = ['NEW', 'PENDING', 'SUCCESSFUL', 'FAILED'] as const
export type TransferStatus = (typeof transferStatuses)[number]

export type Transfer = {
  readonly id: bigint
  readonly reference: string
  readonly accountBank: string
  readonly accountNumber: string
  readonly fullName: string
  readonly bankName: string
  readonly amount: Decimal
  readonly fee: Decimal
  readonly currency: string
  readonly debitCurrency: string
  readonly status: TransferStatus
  readonly isDebited: boolean
  readonly requiresApproval: boolean
  readonly completeMessage: string
  readonly narration: string | null
  readonly callbackUrl: string | null
  readonly meta: string
  readonly createdAt: Date
}

export function presentTransfer(transfer: Transfer) {
  return {
    id: transfer.id,
    account_number: transfer.accountNumber,
    bank_code: transfer.accountBank,
    full_name: transfer.fullName,
    created_at: transfer.createdAt.toISOString(),
    currency: transfer.currency,
    debit_currency: transfer.debitCurrency,
    amount: transfer.amount,
    fee: transfer.fee,
    status: transfer.status,
    reference: transfer.reference,
    meta: parseJson(transfer.meta),
    narration: transfer.narration,
    complete_message: transfer.completeMessage,
    // The provider uses numbers for these two.
    requires_approval: transfer.requiresApproval ? 1 : 0,
    is_approved: transfer.requiresApproval && transfer.status === 'NEW' ? 0 : 1,
    bank_name: transfer.bankName,
  }
}

// `fullname` in one word, unlike everywhere else.
export function transferWebhook(transfer: Transfer) {
  const { full_name, ...data } = presentTransfer(transfer)
  return {
    event: 'transfer.completed',
    'event.type': 'Transfer',
    data: { ...data, fullname: full_name, approver: null },
  }
}

// The provider's tiers for naira. Because of half a kobo, amounts here have three decimals.
export function transferFee(amount: Decimal, currency: string): Decimal {
  if (currency !== 'NGN') return readDecimal('40')
  if (isLess(readDecimal('50000'), amount)) return readDecimal('53.75')
  return readDecimal(isLess(readDecimal('5000'), amount) ? '26.875' : '10.75')
}

const failedLabel = 'DISBURSE FAILED: '

export const messages: Record<TransferStatus, string> = {
  NEW: '',
  PENDING: '',
  SUCCESSFUL: 'Transaction was successful',
  FAILED: `${failedLabel}Transfer was not completed by the receiving bank`,
}
const uncovered = `${failedLabel}Insufficient funds in customer wallet`

const pending: PlannedStep = { step: 'PENDING', afterMs: 0 }
const successful: PlannedStep = { step: 'SUCCESSFUL', afterMs: 0 }

// Plans the steps of an accepted transfer.
export function planTransfer(
  reference: string,
  isCovered: boolean,
  effects: readonly Effect[],
): PlannedStep[] {
  if (!isCovered) return [{ step: 'FAILED', note: uncovered, afterMs: 0 }]
  const failure = (effect: Effect): PlannedStep => ({
    step: 'FAILED',
    note: effect.parameters.reason && withLabel(effect.parameters.reason),
    afterMs: effect.parameters.afterMs,
  })
  if (findEffect(effects, 'stay_new')) return [{ ...pending, afterMs: undefined }, successful]
  if (findEffect(effects, 'stay_pending')) return [pending, { ...successful, afterMs: undefined }]
  const fails = findEffect(effects, 'fail')
  if (fails) return [pending, { ...failure(fails), afterMs: 0 }]
  const failsLate = findEffect(effects, 'fail_late')
  if (failsLate) return [pending, failure(failsLate)]
  const failsAfter = findEffect(effects, 'fail_after_success')
  if (failsAfter) return [pending, successful, failure(failsAfter)]
  return [pending, { ...successful, afterMs: testDelayMs(reference) }]
}

// The reason of a rule may be written as the provider would write it.
function withLabel(reason: string): string {
  return reason.startsWith(failedLabel) ? reason : failedLabel + reason
}

// In test mode, the provider ends a transfer after the number of minutes in its reference.
function testDelayMs(reference: string): number {
  const minutes = /_PMCKDU_(\d{1,4})$/.exec(reference)?.[1]
  return minutes === undefined ? 0 : Number.parseInt(minutes, 10) * 60_000
}

export function isTransferStatus(text: string): text is TransferStatus {
  return transferStatuses.some((status) => status === text)
}
