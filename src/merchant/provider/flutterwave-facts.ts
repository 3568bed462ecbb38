// Converts the provider's objects to our facts. Undefined means that an important field is missing
// or invalid; the caller must then treat the whole answer as unknown.
import { zeroDecimal } from '../../kernel/money/decimal.ts'
import { amountOf, type Fields, isFields, objectOf, textOf } from './flutterwave-fields.ts'
import type { ChargeFact, KnownCard, RefundFact, TransferFact } from './provider.ts'

export function readCharge(value: unknown): ChargeFact | undefined {
  if (!isFields(value)) return undefined
  const reference = textOf(value, 'tx_ref')
  const transactionId = textOf(value, 'id')
  const amount = amountOf(value, 'amount')
  const currency = textOf(value, 'currency')
  const state = textOf(value, 'status')
  if (!reference || !transactionId || !amount || !currency || !state) return undefined
  const status = chargeStatus(state)
  return {
    reference,
    transactionId,
    status,
    amount,
    currency,
    providerFee: amountOf(value, 'app_fee') ?? zeroDecimal,
    amountSettled: amountOf(value, 'amount_settled') ?? null,
    failureReason: status === 'failed' ? reasonOf(value, 'processor_response') : null,
    token: textOf(objectOf(value, 'card'), 'token') ?? null,
    method: wordOf(textOf(value, 'payment_type')),
    card: cardOf(objectOf(value, 'card')),
  }
}

function cardOf(card: Fields): KnownCard | null {
  const last4 = textOf(card, 'last_4digits') ?? ''
  return /^\d{4}$/.test(last4) ? { brand: wordOf(textOf(card, 'type')), last4 } : null
}

// One word in lower case. What is none is left out: it is shown to merchants and payers.
function wordOf(text: string | undefined): string | null {
  const word = text?.trim().toLowerCase().replaceAll(/[ -]+/g, '_') ?? ''
  return /^[a-z0-9_]{1,40}$/.test(word) ? word : null
}

// An unknown status is not final: the charge is looked up again.
function chargeStatus(text: string): ChargeFact['status'] {
  const word = text.toLowerCase()
  if (word === 'successful') return 'successful'
  return word === 'failed' || word === 'cancelled' ? 'failed' : 'pending'
}

// The response of a refund and the list of refunds name the same fields differently.
export function readRefund(value: unknown): RefundFact | undefined {
  if (!isFields(value)) return undefined
  const refundId = textOf(value, 'id', 'Id')
  const transactionId = textOf(value, 'tx_id', 'TransactionId', 'transaction_id')
  const amount = amountOf(value, 'amount_refunded', 'AmountRefunded')
  const status = refundStatuses[textOf(value, 'status', 'Status')?.toLowerCase() ?? '']
  if (!refundId || !transactionId || !amount || !status) return undefined
  return { refundId, transactionId, amount, status }
}

// `completed` is the provider's word for started; the paid states say how it was paid. Unknown
// states count as neither, since money must not be posted on a guess.
const refundStatuses: Readonly<Record<string, RefundFact['status']>> = {
  completed: 'accepted',
  processing: 'accepted',
  'pending-momo': 'accepted',
  'completed-bank-transfer': 'settled',
  'completed-momo': 'settled',
  'completed-mpgs': 'settled',
  'completed-offline': 'settled',
  'completed-preauth': 'settled',
  failed: 'failed',
}

export function readTransfer(value: unknown): TransferFact | undefined {
  if (!isFields(value)) return undefined
  const reference = textOf(value, 'reference')
  const transferId = textOf(value, 'id')
  const amount = amountOf(value, 'amount')
  const currency = textOf(value, 'currency')
  const state = textOf(value, 'status')
  if (!reference || !transferId || !amount || !currency || !state) return undefined
  const status = transferStatus(state)
  return {
    reference,
    transferId,
    status,
    amount,
    currency,
    fee: amountOf(value, 'fee') ?? zeroDecimal,
    failureReason: status === 'failed' ? transferReason(value) : null,
  }
}

// The provider's message may repeat the account number, which is never shown.
function transferReason(transfer: Fields): string | null {
  const reason = reasonOf(transfer, 'complete_message')
  const accountNumber = textOf(transfer, 'account_number')
  if (reason === null) return null
  return accountNumber === undefined ? reason : reason.replaceAll(accountNumber, '…')
}

// Each program on the way to the bank may put the same label in front ("DISBURSE FAILED: DISBURSE
// FAILED: …"); once is enough.
function reasonOf(value: Fields, field: string): string | null {
  const reason = textOf(value, field)
  return reason?.replace(/^(?:([^:]+):\s*(?=\1(?::|$)))+/i, '') ?? null
}

// An unknown status is not final: the transfer is looked up again.
function transferStatus(text: string): TransferFact['status'] {
  const word = text.toLowerCase()
  if (word === 'successful') return 'successful'
  return word === 'failed' ? 'failed' : 'pending'
}
