// A split recipient: receives a share of charges. Each is a sub-account at the provider, of which a
// bank account has one; two recipients with the same bank account share it. Each charge tells the
// provider the share, so the sub-account's own terms don't matter.
//
// A recipient is registered once the provider has confirmed it; before that, no link or code can
// name it. Verified and disabled are flags that the business sets. If another provider serves the
// business later, the recipient is unregistered and disabled, until it is registered again.
import { z } from 'zod'
import type { Secrets } from '../../kernel/auth/secrets.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { addSeconds } from '../../kernel/basics/clock.ts'
import { type Decimal, parseDecimal } from '../../kernel/money/decimal.ts'
import { timestamp } from '../../kernel/operations/schemas.ts'
import type { ProviderName, SubaccountInstruction } from '../provider/provider.ts'

export type Recipient = {
  readonly id: string
  readonly externalReference: string
  readonly name: string
  readonly bankCode: string
  readonly accountNumberSealed: Buffer
  readonly accountName: string | null
  // PostgreSQL's numeric as text: an exact decimal.
  readonly splitPercent: string
  readonly mobile: string | null
  readonly subaccountId: string | null
  // Where it is, or was last, registered.
  readonly provider: ProviderName | null
  readonly verified: boolean
  readonly disabled: boolean
  readonly sends: number
  readonly sentAt: Date | null
  readonly claimedUntil: Date | null
  readonly nextLookAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export const recipientSchema = z.object({
  id: z.uuid(),
  external_reference: z.string(),
  name: z.string(),
  account_bank: z.string().meta({ description: 'Bank code of the payment provider.' }),
  account_number_last4: z.string().meta({
    description: 'The last digits of the account number, which is never shown in full.',
  }),
  account_name: z
    .string()
    .nullable()
    .meta({ description: 'The holder, as the provider knows the account.' }),
  split_value: z.number().meta({
    description: 'The recipient’s percentage of each charge; at most what the fee leaves.',
  }),
  recipient_mobile: z.string().nullable(),
  registered: z.boolean().meta({ description: 'Whether the provider has confirmed it.' }),
  verified: z.boolean(),
  disabled: z.boolean().meta({ description: 'If true, charges settle to the merchant instead.' }),
  created_at: timestamp(),
  updated_at: timestamp(),
})

export function presentRecipient(recipient: Recipient, secrets: Secrets) {
  return {
    id: recipient.id,
    external_reference: recipient.externalReference,
    name: recipient.name,
    account_bank: recipient.bankCode,
    account_number_last4: accountEnding(recipient, secrets),
    account_name: recipient.accountName,
    split_value: percentOf(recipient),
    recipient_mobile: recipient.mobile,
    registered: recipient.subaccountId !== null,
    verified: recipient.verified,
    disabled: recipient.disabled,
    created_at: recipient.createdAt,
    updated_at: recipient.updatedAt,
  }
}

// Whether it was registered at a provider that no longer serves the business.
export function isRegisteredElsewhere({ subaccountId, provider }: Recipient): boolean {
  return subaccountId === null && provider !== null
}

export const registeredElsewhereMessage =
  'This split recipient was registered at a payment provider that no longer serves you. Create it ' +
  'again with the same externalReference to register it, and then enable it.'

// Never more than half of a short number.
export function accountEnding(recipient: Recipient, secrets: Secrets): string {
  const accountNumber = openAccountNumber(recipient, secrets)
  const { length } = accountNumber
  return accountNumber.slice(length - Math.min(4, Math.floor(length / 2)))
}

export function sealAccountNumber(id: string, accountNumber: string, secrets: Secrets): Buffer {
  return secrets.seal(accountNumber, sealedRecipientRow(id))
}

export function openAccountNumber(
  { id, accountNumberSealed }: Pick<Recipient, 'id' | 'accountNumberSealed'>,
  secrets: Secrets,
): string {
  return secrets.open(accountNumberSealed, sealedRecipientRow(id)).toString('utf8')
}

// The associated data of the encrypted number.
export function sealedRecipientRow(id: string): string {
  return `merchant.split_recipients/${id}`
}

export function percentOf({ splitPercent }: Pick<Recipient, 'splitPercent'>): Decimal {
  return assertDefined(parseDecimal(splitPercent), 'a split that is no number')
}

export function subaccountInstruction(
  recipient: Recipient,
  secrets: Secrets,
  country: string,
): SubaccountInstruction {
  const { id, bankCode, name } = recipient
  return {
    reference: id,
    bankCode,
    accountNumber: openAccountNumber(recipient, secrets),
    name,
    mobile: assertDefined(recipient.mobile, 'a recipient without a phone'),
    country,
    recipientPercent: percentOf(recipient),
  }
}

// Longer than all calls of one registration can take together.
export const claimSeconds = 120

// Longer than the provider takes to list a new sub-account, so that it is sent again only if it
// definitely was not created.
const resendAfterSeconds = 60

export function mayBeSentAgain({ sentAt }: Pick<Recipient, 'sentAt'>, now: Date): boolean {
  return sentAt === null || addSeconds(sentAt, resendAfterSeconds) <= now
}

// Often at first, then ever more rarely, at least every hour.
export function nextLookAfter({ createdAt }: Pick<Recipient, 'createdAt'>, now: Date): Date {
  const ageSeconds = (now.getTime() - createdAt.getTime()) / 1000
  return addSeconds(now, Math.min(Math.max(ageSeconds / 4, 15), 3600))
}
