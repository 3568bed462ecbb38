// How a charge is shared with sub-accounts. The provider's numbers are what the *platform* keeps,
// as a fraction or an amount; only `flat_subaccount` is what the sub-account gets. With several
// sub-accounts, the ratio divides the net amount, and each part is shared separately.
import {
  compare,
  Decimal,
  divideRounded,
  multiply,
  parseDecimal,
  roundHalfAway,
  subtract,
  zeroDecimal,
} from '../../kernel/money/decimal.ts'
import { isLess, sumOf } from '../decimals.ts'
import { type Fields, optionalText, refuse, requiredText } from '../fields.ts'
import { feePlaces } from '../world.ts'

export type SplitKind = 'flat' | 'percentage' | 'flat_subaccount'

export type Split = {
  readonly subaccountId: string
  readonly kind: SplitKind
  readonly charge: Decimal
  readonly ratio: Decimal
}

export type Share = { readonly id: string; readonly amount: Decimal }

// A sub-account's own terms, used if the charge names none.
export type DefaultSplit = {
  readonly subaccountId: string
  readonly splitType: 'flat' | 'percentage'
  readonly splitValue: Decimal
}

const one = new Decimal(1n, 0)

export function readSplit(fields: Fields, terms: DefaultSplit): Split {
  const kind = optionalText(fields, 'transaction_charge_type') ?? terms.splitType
  if (kind !== 'flat' && kind !== 'percentage' && kind !== 'flat_subaccount') {
    throw refuse('transaction_charge_type is invalid')
  }
  const charge = optionalNumber(fields, 'transaction_charge') ?? terms.splitValue
  if (kind === 'percentage' && compare(charge, one) > 0) {
    throw refuse('transaction_charge must be between 0 and 1')
  }
  const ratio = optionalNumber(fields, 'transaction_split_ratio') ?? one
  return { subaccountId: terms.subaccountId, kind, charge, ratio }
}

// Rounds each share. The rounding difference stays with the platform.
export function computeShares(net: Decimal, splits: readonly Split[]): Share[] {
  const total = sumOf(splits.map(({ ratio }) => ratio))
  if (total.digits === 0n) return []
  return splits.map(({ subaccountId, kind, charge, ratio }) => {
    const part = divideRounded(multiply(net, ratio), total, feePlaces)
    return { id: subaccountId, amount: bounded(shareOf(part, kind, charge), part) }
  })
}

// The provider silently drops a sub-account whose id has a blank before or after it.
export function namedSubaccount(fields: Fields): string | undefined {
  const id = requiredText(fields, 'id')
  return id.trim() === id ? id : undefined
}

function shareOf(part: Decimal, kind: SplitKind, charge: Decimal): Decimal {
  if (kind === 'flat_subaccount') return charge
  if (kind === 'flat') return subtract(part, charge)
  return roundHalfAway(multiply(part, subtract(one, charge)), feePlaces)
}

function bounded(share: Decimal, part: Decimal): Decimal {
  if (isLess(share, zeroDecimal)) return zeroDecimal
  return isLess(part, share) ? part : share
}

function optionalNumber(fields: Fields, name: string): Decimal | undefined {
  const text = optionalText(fields, name)
  if (text === undefined) return undefined
  const value = parseDecimal(text)
  if (!value || value.scale > 6 || isLess(value, zeroDecimal)) throw refuse(`${name} is invalid`)
  return value
}
