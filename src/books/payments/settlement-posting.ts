// The postings of settling, as pure functions of open items. Everything consists of two facts:
// money that moves between an account and a payment's open item, and an open item that is used
// against another. An entry combines their lines, so that an amount that is allocated at once never
// appears on the payment. Positive is a debit.
import { assert } from '../../kernel/basics/assert.ts'
import { type JournalLine, tidyLines } from '../journal/journal-entry.ts'
import type { Allocation } from './allocation.ts'
import { carriedBaseMinor, convertMinor, type OpenItem } from './open-item.ts'
import type { Payment } from './payment.ts'

export type SettlementAccounts = {
  readonly baseCurrency: string
  readonly fxRealisedId: string
  readonly paymentFeesId: string
}

export type AllocatedAmounts = Pick<
  Allocation,
  'amountMinor' | 'debitBaseMinor' | 'creditBaseMinor'
>

export type Allocated = AllocatedAmounts & { readonly debit: OpenItem; readonly credit: OpenItem }

// Uses an amount of a debit against a credit. Each side decreases by its book value.
export function allocateItems(
  debit: OpenItem,
  credit: OpenItem,
  amountMinor: bigint,
  baseCurrency: string,
): Allocated {
  assert(amountMinor > 0n, 'nothing is allocated')
  assert(debit.accountId === credit.accountId, 'items of two control accounts')
  assert(debit.currency === credit.currency, 'items of two currencies')
  const debitBaseMinor = carriedBaseMinor(debit, amountMinor, baseCurrency)
  const creditBaseMinor = -carriedBaseMinor(credit, -amountMinor, baseCurrency)
  return {
    amountMinor,
    debitBaseMinor,
    creditBaseMinor,
    debit: moved(debit, -amountMinor, -debitBaseMinor),
    credit: moved(credit, amountMinor, creditBaseMinor),
  }
}

// The amounts that open again when an allocation is removed: exactly what it used.
export function releaseItems(
  debit: OpenItem,
  credit: OpenItem,
  amounts: AllocatedAmounts,
): Allocated {
  return {
    ...amounts,
    debit: moved(debit, amounts.amountMinor, amounts.debitBaseMinor),
    credit: moved(credit, -amounts.amountMinor, -amounts.creditBaseMinor),
  }
}

function moved(item: OpenItem, amountMinor: bigint, baseMinor: bigint): OpenItem {
  return {
    ...item,
    openMinor: item.openMinor + amountMinor,
    openBaseMinor: item.openBaseMinor + baseMinor,
  }
}

// At the same rate only the two open items change; otherwise the difference is realised.
export function allocationLines(
  { debit, credit, amountMinor, debitBaseMinor, creditBaseMinor }: Allocated,
  { baseCurrency, fxRealisedId }: SettlementAccounts,
): JournalLine[] {
  const realisedMinor = debitBaseMinor - creditBaseMinor
  return tidyLines([
    controlLine(debit, -amountMinor, -debitBaseMinor),
    controlLine(credit, amountMinor, creditBaseMinor),
    {
      ...emptyLine,
      accountId: fxRealisedId,
      currency: baseCurrency,
      baseMinor: realisedMinor,
      amountMinor: realisedMinor,
      contactId: debit.contactId,
    },
  ])
}

// Bank or clearing against the payment's own open item; the provider's fee is an expense.
export function moneyLines(
  payment: Payment,
  item: OpenItem,
  // What the account is kept in.
  keptIn: string,
  { baseCurrency, paymentFeesId }: SettlementAccounts,
): JournalLine[] {
  const { currency, contactId, accountCurrency, accountAmountMinor } = payment
  assert([accountCurrency ?? currency, baseCurrency].includes(keptIn), 'another currency')
  assert(accountAmountMinor === null || payment.feeMinor === 0n, 'a fee in a third currency')
  assert(payment.direction === 'in' || payment.feeMinor === 0n, 'a fee on money that goes out')
  const sign = payment.direction === 'in' ? 1n : -1n
  const feeBaseMinor = feeBase(payment, baseCurrency)
  const baseMinor = sign * payment.baseMinor - feeBaseMinor
  const amountMinor = sign * (accountAmountMinor ?? payment.amountMinor) - payment.feeMinor
  const isKeptInBase = keptIn === baseCurrency
  return tidyLines([
    {
      ...emptyLine,
      accountId: payment.accountId,
      currency: keptIn,
      baseMinor,
      amountMinor: isKeptInBase ? baseMinor : amountMinor,
      contactId,
    },
    {
      ...emptyLine,
      accountId: paymentFeesId,
      currency,
      baseMinor: feeBaseMinor,
      amountMinor: payment.feeMinor,
      contactId,
    },
    controlLine(item, item.amountMinor, item.baseMinor),
  ])
}

function feeBase(payment: Payment, baseCurrency: string): bigint {
  const { feeMinor, amountMinor, baseMinor, currency, fxRate } = payment
  if (feeMinor === amountMinor) return baseMinor
  const exact = convertMinor(feeMinor, currency, fxRate, baseCurrency)
  return exact > baseMinor ? baseMinor : exact
}

// The tax inside a write-off, by the account it was posted to; a debit is positive.
export type TaxPart = {
  readonly accountId: string
  readonly taxCodeId: string | null
  readonly amountMinor: bigint
  readonly baseMinor: bigint
}

// An account for the loss or gain against the payment's own open item; the tax if relief is
// claimed.
export function writeOffLines(
  payment: Payment,
  item: OpenItem,
  taxes: readonly TaxPart[],
): JournalLine[] {
  assert(payment.method === 'write_off', 'no write-off')
  const sign = payment.direction === 'in' ? 1n : -1n
  const booked = taxes.map((tax) => ({
    ...emptyLine,
    ...tax,
    currency: payment.currency,
    contactId: payment.contactId,
  }))
  return tidyLines([
    {
      ...emptyLine,
      accountId: payment.accountId,
      currency: payment.currency,
      baseMinor: taxes.reduce((rest, tax) => rest - tax.baseMinor, sign * payment.baseMinor),
      amountMinor: taxes.reduce((rest, tax) => rest - tax.amountMinor, sign * payment.amountMinor),
      contactId: payment.contactId,
    },
    ...booked,
    controlLine(item, item.amountMinor, item.baseMinor),
  ])
}

const emptyLine = { contactId: null, openItemId: null, taxCodeId: null, description: null }

function controlLine(item: OpenItem, amountMinor: bigint, baseMinor: bigint): JournalLine {
  return {
    ...emptyLine,
    accountId: item.accountId,
    currency: item.currency,
    amountMinor,
    baseMinor,
    contactId: item.contactId,
    openItemId: item.id,
  }
}
