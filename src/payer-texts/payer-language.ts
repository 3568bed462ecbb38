// The language of a payer: what they chose on a page before, or what their browser asks for, or
// English. It has the texts, and writes numbers, amounts and dates as readers of it do.
import { currencyOf } from '../kernel/money/currency.ts'
import { majorText } from '../kernel/money/minor-units.ts'
import { english, type PayerTexts } from './english.ts'
import { french } from './french.ts'

const languages = {
  en: { name: 'English', locale: 'en-GB', texts: english },
  fr: { name: 'Français', locale: 'fr-FR', texts: french },
} as const satisfies Record<string, { name: string; locale: string; texts: PayerTexts }>

export type LanguageCode = keyof typeof languages

// For schemas.
export const languageCodes = ['en', 'fr'] as const satisfies readonly LanguageCode[]

export const languageNames = Object.entries(languages).map(([code, { name }]) => ({
  code: code as LanguageCode,
  name,
}))

export type PayerLanguage = {
  readonly code: LanguageCode
  // Of numbers and dates, such as `fr-CA`.
  readonly locale: string
  readonly texts: PayerTexts
  money(amountMinor: bigint, currency: string): string
  // How `money` writes the currency, for a script that does the same.
  currencyDisplay(currency: string): string
  // An amount as decimal text, with the decimals that it has.
  number(amount: string): string
  moment(moment: Date, timeZone: string, month?: 'long' | 'short'): string
  // Without the time.
  date(moment: Date, timeZone: string): string
  // A day such as `2026-11-16`.
  day(day: string): string
}

const cookieName = 'payer_language'
const keptSeconds = 365 * 24 * 60 * 60

type Asked = { readonly url: URL; readonly headers: Headers }

export function languageOf({ url, headers }: Asked): PayerLanguage {
  const kept = new RegExp(`(?:^|; ?)${cookieName}=(\\w+)`).exec(headers.get('cookie') ?? '')?.[1]
  const chosen = [url.searchParams.get('lang'), kept].find(isLanguage)
  const wanted = acceptedLocales(headers.get('accept-language') ?? '')
  if (chosen)
    return payerLanguage(
      chosen,
      wanted.find((locale) => codeOf(locale) === chosen),
    )
  const locale = wanted.find((one) => isLanguage(codeOf(one)))
  const code = codeOf(locale ?? '')
  return payerLanguage(isLanguage(code) ? code : 'en', locale)
}

// Keeps what the payer chose with a link of the page; none if they chose nothing.
export function keepLanguage({ url }: Pick<Asked, 'url'>, publicUrl: string): string[] {
  const code = url.searchParams.get('lang')
  if (!isLanguage(code)) return []
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  return [`${cookieName}=${code}; Path=/; Max-Age=${keptSeconds}; HttpOnly; SameSite=Lax${secure}`]
}

export function payerLanguage(code: LanguageCode, wanted?: string): PayerLanguage {
  const { texts, locale: usual } = languages[code]
  const locale = wanted?.includes('-') ? wanted : usual
  return {
    code,
    locale,
    texts,
    money: (amountMinor, currency) => {
      const { decimals } = currencyOf(currency)
      return numberFormat(locale, currencyStyle(locale, currency, decimals)).format(
        majorText(amountMinor, decimals) as Intl.StringNumericLiteral,
      )
    },
    currencyDisplay: (currency) => currencyStyle(locale, currency, 0).currencyDisplay,
    number: (amount) => {
      const decimals = amount.split('.')[1]?.length ?? 0
      const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
      return numberFormat(locale, digits).format(amount as Intl.StringNumericLiteral)
    },
    moment: (moment, timeZone, month = 'short') =>
      new Intl.DateTimeFormat(locale, {
        day: 'numeric',
        month,
        year: 'numeric',
        hour: '2-digit',
        minute: '2-digit',
        timeZone,
        timeZoneName: 'short',
      }).format(moment),
    date: (moment, timeZone) =>
      new Intl.DateTimeFormat(locale, {
        day: 'numeric',
        month: 'short',
        year: 'numeric',
        timeZone,
      }).format(moment),
    day: (day) =>
      new Intl.DateTimeFormat(locale, {
        day: 'numeric',
        month: 'long',
        year: 'numeric',
        timeZone: 'UTC',
      }).format(new Date(`${day}T00:00:00Z`)),
  }
}

// The language that was kept with a payment, such as `fr-CA`; English if none was.
export function storedLanguage(locale: string | null): PayerLanguage {
  const code = codeOf(locale ?? '')
  return isLanguage(code) ? payerLanguage(code, locale ?? undefined) : payerLanguage('en')
}

const formats = new Map<string, Intl.NumberFormat>()

// Making one takes longer than using it.
function numberFormat(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${locale} ${JSON.stringify(options)}`
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, options)
  if (formats.size < formatsMax) formats.set(key, format)
  return format
}

// Browsers can ask for hundreds of locales.
const formatsMax = 500

// Signs that several currencies share. A payer must not take one for the other.
const sharedSigns = new Set(['$', '£', '¥', 'kr', 'Rs', 'R'])

// The sign of a currency where it is clear, otherwise as the locale writes it: `US$`, `CHF`.
function currencyStyle(locale: string, currency: string, decimals: number) {
  const style = {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  } as const
  const narrow = { ...style, currencyDisplay: 'narrowSymbol' } as const
  const sign = numberFormat(locale, narrow)
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value
  const isShared = sign === undefined || sharedSigns.has(sign)
  return isShared ? ({ ...style, currencyDisplay: 'symbol' } as const) : narrow
}

// The locales of the header, best first, as far as they are in a simple form.
function acceptedLocales(header: string): string[] {
  return header
    .slice(0, headerMax)
    .split(',')
    .flatMap((entry) => {
      const [, language = '', region, quality = '1'] =
        /^\s*([a-z]{2})(?:-([a-z]{2}))?\s*(?:;\s*q=([01](?:\.\d{0,3})?))?\s*$/i.exec(entry) ?? []
      const rank = `${quality}${quality.includes('.') ? '' : '.'}`.padEnd('1.000'.length, '0')
      if (language === '' || rank === '0.000') return []
      const code = language.toLowerCase()
      return [{ rank, locale: region ? `${code}-${region.toUpperCase()}` : code }]
    })
    .toSorted((one, other) => other.rank.localeCompare(one.rank))
    .map(({ locale }) => locale)
}

const headerMax = 200

function codeOf(locale: string): string {
  return locale.split('-')[0] ?? ''
}

function isLanguage(code: string | null | undefined): code is LanguageCode {
  return typeof code === 'string' && Object.hasOwn(languages, code)
}
