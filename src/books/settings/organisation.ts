// The organisation and the settings of its books.
import { dayIn } from './local-time.ts'

export type TaxRounding = 'line' | 'document'

// Locales whose numbers and dates people ask for, by name.
export const locales = {
  'en-GB': 'English (United Kingdom)',
  'en-US': 'English (United States)',
  'en-CA': 'English (Canada)',
  'en-IN': 'English (India)',
  'en-ZA': 'English (South Africa)',
  'fr-FR': 'French (France)',
  'fr-CA': 'French (Canada)',
  'de-DE': 'German (Germany)',
  'de-CH': 'German (Switzerland)',
  'es-ES': 'Spanish (Spain)',
  'pt-PT': 'Portuguese (Portugal)',
  'nl-NL': 'Dutch (Netherlands)',
} as const

export type Locale = keyof typeof locales

export type Organisation = {
  readonly baseCurrency: string
  readonly defaultPaymentTermsDays: number
  readonly legalName: string | null
  readonly address: string | null
  readonly taxNumber: string | null
  readonly paymentDetails: string | null
  readonly timeZone: string
  // Of numbers and dates in the application.
  readonly locale: Locale
  readonly fiscalYearStartMonth: number
  readonly taxRounding: TaxRounding
  readonly approvalsOn: boolean
  readonly fourEyesOn: boolean
  // Days up to and including these; `YYYY-MM-DD`.
  readonly softLockedUntil: string | null
  readonly hardLockedUntil: string | null
  readonly defaultSalesAccountId: string | null
  readonly defaultPurchaseAccountId: string | null
  readonly defaultSalesTaxCodeId: string | null
  readonly defaultPurchaseTaxCodeId: string | null
  readonly createdAt: Date
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    // `Intl` throws for an unknown time zone.
    return false
  }
}

// Today in the organisation's time zone.
export function today(organisation: Pick<Organisation, 'timeZone'>, now: Date): string {
  return dayIn(organisation.timeZone, now)
}

const quarterHourMs = 15 * 60 * 1000
// Days start up to fourteen hours before UTC.
const dayBeginsBeforeMs = 14 * 60 * 60 * 1000

// The first moment of a day in the organisation's time zone. Offsets are multiples of a quarter of
// an hour; where clocks skip midnight, the day starts later.
export function startOfDay(organisation: Pick<Organisation, 'timeZone'>, day: string): Date {
  let moment = new Date(Date.parse(`${day}T00:00:00Z`) - dayBeginsBeforeMs)
  while (today(organisation, moment) < day) moment = new Date(moment.getTime() + quarterHourMs)
  return moment
}
