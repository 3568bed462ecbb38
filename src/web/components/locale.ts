// The locale in which amounts and dates of this page are written: that of the business. Amounts are
// formatted in a hundred places, some of them in the browser, so they ask here. On the server it
// belongs to the request; in the browser it stands in the page.
const usual = 'en-GB'

let read: () => string | undefined = () => undefined

export function readLocaleFrom(source: () => string | undefined): void {
  read = source
}

function currentLocale(): string {
  return read() ?? usual
}

const formats = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>()

// Making a format takes longer than using it.
export function numberFormat(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const locale = currentLocale()
  const key = `number ${locale} ${JSON.stringify(options)}`
  const made = formats.get(key) ?? new Intl.NumberFormat(locale, options)
  formats.set(key, made)
  return made as Intl.NumberFormat
}

export function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const locale = currentLocale()
  const key = `date ${locale} ${JSON.stringify(options)}`
  const made = formats.get(key) ?? new Intl.DateTimeFormat(locale, options)
  formats.set(key, made)
  return made as Intl.DateTimeFormat
}

// A decimal as text, with the decimals that it has.
export function formatNumber(amount: string): string {
  const decimals = amount.split('.')[1]?.length ?? 0
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
  return numberFormat(digits).format(amount as Intl.StringNumericLiteral)
}

export function formatCount(count: number): string {
  return numberFormat({}).format(count)
}

// What divides decimals.
export function decimalMark(): '.' | ',' {
  return formatNumber('0.5').includes(',') ? ',' : '.'
}
