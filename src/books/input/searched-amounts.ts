// A searched text as an amount in every currency in which it can be read.
import { currencyCodes, currencyOf } from '../../kernel/money/currency.ts'
import { toMinor } from '../../kernel/money/minor-units.ts'
import { parseTypedAmount } from '../../kernel/money/typed-amount.ts'

export function amountsOf(text: string): { readonly currency: string; readonly minor: bigint }[] {
  return currencyCodes.flatMap((code) => {
    const amount = parseTypedAmount(text, currencyOf(code))
    const minor = amount && toMinor(amount, currencyOf(code))
    return typeof minor === 'bigint' ? [{ currency: code, minor }] : []
  })
}
