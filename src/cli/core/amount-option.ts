// An amount that a person typed, in major units.
import { type Currency, findCurrency } from '../../kernel/money/currency.ts'
import { Decimal, parseDecimal, toText } from '../../kernel/money/decimal.ts'
import { toMinor } from '../../kernel/money/minor-units.ts'
import { type CommandOptions, requiredOption, UsageError } from './command.ts'

export function currencyOption(options: CommandOptions): Currency {
  const currency = findCurrency(requiredOption(options, 'currency'))
  if (!currency) throw new UsageError('--currency must be an ISO 4217 code in upper case')
  return currency
}

// Amounts that move must be positive; thresholds and fixed fees can be 0.
export function amountOption(
  options: CommandOptions,
  name: string,
  currency: Currency,
  least: 'more than 0' | '0 or more' = 'more than 0',
): bigint {
  const { code, decimals } = currency
  const amount = parseDecimal(requiredOption(options, name))
  const amountMinor = amount && toMinor(amount, currency)
  if (typeof amountMinor !== 'bigint') {
    const example = toText(new Decimal(50_000n, 0), decimals)
    throw new UsageError(`--${name} must be an amount of ${code}, such as ${example}`)
  }
  if (amountMinor < 0n || (amountMinor === 0n && least === 'more than 0')) {
    throw new UsageError(`--${name} must be ${least}`)
  }
  return amountMinor
}
