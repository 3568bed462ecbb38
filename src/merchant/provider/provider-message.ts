// Messages from providers. They are not signed: a fixed secret in a header proves the sender, and
// the body is only a hint about which payment to look up.
import { createHash, timingSafeEqual } from 'node:crypto'
import { parseJson } from '../../kernel/money/exact-number.ts'
import { isFields, objectOf, textOf } from './flutterwave-fields.ts'

// Hashed first, so that neither time nor length reveals anything about the secret.
export function isProviderMessage(
  header: string | readonly string[] | undefined,
  secretHash: string,
): boolean {
  if (typeof header !== 'string' || secretHash === '') return false
  return timingSafeEqual(digest(header), digest(secretHash))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

export type ProviderHint = {
  // Our reference of a charge or a transfer.
  readonly reference?: string
  readonly transactionId?: string
  // The subject of the message, if it is not the charge or transfer itself.
  readonly about?: 'chargeback' | 'refund'
}

// `charge.completed` and `transfer.completed` have an envelope; refunds are flat and in another
// case. Anything else is an empty hint.
export function referencesIn(body: string): ProviderHint {
  const message = parsed(body)
  if (!isFields(message)) return {}
  if (!isFields(message.data)) {
    const refunded = textOf(message, 'TransactionId')
    return refunded === undefined ? {} : { transactionId: refunded, about: 'refund' }
  }
  const data = objectOf(message, 'data')
  const transactionId = textOf(data, 'tx_ref') === undefined ? undefined : textOf(data, 'id')
  const isChargeback = textOf(message, 'event')?.startsWith('chargeback.')
  return {
    ...hint(textOf(data, 'tx_ref', 'reference'), transactionId),
    ...(isChargeback && { about: 'chargeback' }),
  }
}

// What kind of message it is; the flat ones about refunds do not say.
export function eventIn(body: string): string | undefined {
  const message = parsed(body)
  return isFields(message) ? textOf(message, 'event') : undefined
}

function hint(reference: string | undefined, transactionId: string | undefined): ProviderHint {
  return {
    ...(reference !== undefined && { reference }),
    ...(transactionId !== undefined && { transactionId }),
  }
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
