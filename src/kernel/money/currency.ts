// Our own ISO 4217 table, after the list published on 2026-01-01. `Intl` is no substitute: it has
// display habits instead of the standard's minor units (no decimals for HUF, IDR and IQD).
//
// Only what can be owed and paid is here. Left out on purpose: precious metals (XAU …), codes that
// stand for no currency (XXX, XTS), units that only institutions account in (XDR, XUA, XSU, XAD,
// XBA to XBD) and the funds codes BOV, CHE, CHW, COU, MXV, USN and UYI. CLF is the one funds code
// kept, because Chilean contracts and invoices are stated in it. Withdrawn codes (BGN, HRK, ANG …)
// are not money any more.
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

// Upper case only: `usd` is refused rather than corrected, so that one currency has one spelling
// in requests, in rows and in ledger accounts.
export function findCurrency(code: string): Currency | undefined {
  return currencies.get(code)
}

// For a code that was checked before, such as one read from the database.
export function currencyOf(code: string): Currency {
  return assertDefined(findCurrency(code), `unknown currency ${code}`)
}

export function isCurrency(code: string): boolean {
  return currencies.has(code)
}
