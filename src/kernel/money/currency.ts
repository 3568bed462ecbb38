// Our own ISO 4217 table, after the list published on 2026-01-01. `Intl` is no substitute: it
// follows display habits, not the standard's minor units (no decimals for HUF, IDR and IQD).
//
// It contains currencies that can be owed and paid. Left out: precious metals (XAU …), codes
// without a currency (XXX, XTS), units of account of institutions (XDR, XUA, XSU, XAD, XBA to XBD)
// and the funds codes BOV, CHE, CHW, COU, MXV, USN and UYI. CLF is the one funds code included,
// because Chilean contracts and invoices use it. Withdrawn codes (BGN, HRK, ANG …) are no longer
// money.
import { assertDefined } from '../basics/assert.ts'

export type Currency = {
  readonly code: string
  readonly decimals: number
}

const codesByDecimals: Record<number, string> = {
  0: `
    BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF`,
  2: `
    AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF
    CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL
    HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT
    MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB
    SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH
    USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG`,
  3: `
    BHD IQD JOD KWD LYD OMR TND`,
  4: `
    CLF UYW`,
}

const currencies: ReadonlyMap<string, Currency> = new Map(
  Object.entries(codesByDecimals).flatMap(([decimals, codes]) =>
    codes
      .trim()
      .split(/\s+/)
      .map((code) => [code, { code, decimals: Number.parseInt(decimals, 10) }] as const),
  ),
)

export const currencyCodes: readonly string[] = [...currencies.keys()].sort()

// Upper case only: `usd` is refused and not corrected, so that a currency has one spelling in
// requests, rows and ledger accounts.
export function findCurrency(code: string): Currency | undefined {
  return currencies.get(code)
}

// For a code that is known to be valid, such as one from the database.
export function currencyOf(code: string): Currency {
  return assertDefined(findCurrency(code), `unknown currency ${code}`)
}

export function isCurrency(code: string): boolean {
  return currencies.has(code)
}
