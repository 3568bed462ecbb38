// The part of the model about shares of charges.
import type { Model, Page, Payment } from './model.ts'

export type Recipient = {
  readonly id: string
  readonly body: object
  readonly askedAtMs: number
  // Whether the provider has it, and whether we know.
  isThere: boolean
  isRegistered: boolean
  isDisabled: boolean
}

export const sharePercent = 10n
const feeBasisPoints = 150n

export function netMinorOf({ amountMinor }: Pick<Payment, 'amountMinor'>): bigint {
  return amountMinor - (amountMinor * feeBasisPoints) / 10_000n
}

// Fixed when Pay is pressed; all amounts of the model divide evenly.
export function splitMinorOf({ amountMinor, recipient }: Page): bigint {
  if (!recipient || recipient.isDisabled) return 0n
  return (amountMinor * sharePercent) / 100n
}

// The worker or a repeated call looks it up. A registration that the provider may still show is not
// sent again at once.
export function lookAtRecipient(model: Model, recipient: Recipient): void {
  if (recipient.isRegistered) return
  if (!recipient.isThere && model.nowMs === recipient.askedAtMs) return
  model.tally(recipient.isThere ? 'recipient × found' : 'recipient × sent again')
  recipient.isThere = true
  recipient.isRegistered = true
}

export function runRecipients(model: Model): void {
  for (const recipient of model.recipients) {
    if (model.nowMs > recipient.askedAtMs) lookAtRecipient(model, recipient)
  }
}
