// What the typed opening balances come to. Pure: the server and the browser compute the same.
import { currencyOf } from '../../kernel/money/currency.ts'
import { toMinor } from '../../kernel/money/minor-units.ts'
import { parseTypedAmount } from '../../kernel/money/typed-amount.ts'
import { decimalMark } from '../components/locale.ts'
import { formatMoney } from '../components/money.tsx'

export const balanceSides = ['debit', 'credit'] as const
export type BalanceSide = (typeof balanceSides)[number]

export type BalanceTotals = Readonly<Record<BalanceSide, bigint>>

type TypedBalance = { readonly side: BalanceSide; readonly text: string }

// What can't be read is left out; the form says what is wrong with it.
export function totalsOfTyped(typed: Iterable<TypedBalance>, currency: string): BalanceTotals {
  const totals = { debit: 0n, credit: 0n }
  for (const { side, text } of typed) totals[side] += typedMinor(text, currency)
  return totals
}

function typedMinor(text: string, code: string): bigint {
  if (text.trim() === '') return 0n
  const currency = currencyOf(code)
  const amount = parseTypedAmount(text, currency, decimalMark())
  const minor = amount && toMinor(amount, currency)
  return typeof minor === 'bigint' && minor > 0n ? minor : 0n
}

export type BalanceRow = { readonly label: string; readonly texts: Record<BalanceSide, string> }

// The totals, and on which side how much is missing.
export function totalRowsOf({ debit, credit }: BalanceTotals, currency: string): BalanceRow[] {
  const text = (minor: bigint) => (minor > 0n ? formatMoney(minor, currency) : '')
  const total = (minor: bigint) => formatMoney(minor, currency)
  return [
    { label: 'Total', texts: { debit: total(debit), credit: total(credit) } },
    debit === credit
      ? { label: debit === 0n ? 'Nothing entered yet' : 'Balanced', texts: noTexts }
      : {
          label: 'Missing to balance',
          texts: { debit: text(credit - debit), credit: text(debit - credit) },
        },
  ]
}

const noTexts = { debit: '', credit: '' }
