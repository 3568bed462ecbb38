// An amount in a mail or a log of what happened: `NGN 1,000.00`.
import { currencyOf } from './currency.ts'
import { grouped } from './decimal.ts'
import { majorText } from './minor-units.ts'

export function moneyText(amountMinor: bigint, code: string): string {
  return `${code} ${grouped(majorText(amountMinor, currencyOf(code).decimals))}`
}
