import { expect, it } from 'vitest'
import { english } from '../../src/payer-texts/english.ts'
import { french } from '../../src/payer-texts/french.ts'
import { keepLanguage, languageOf } from '../../src/payer-texts/payer-language.ts'

const asked = (accept: string, query = '', cookie = '') => ({
  url: new URL(`https://pay.example.com/pay/l/1${query}`),
  headers: new Headers({ 'accept-language': accept, cookie }),
})

it.each([
  ['', 'en-GB'],
  ['*', 'en-GB'],
  ['de-DE,de;q=0.9', 'en-GB'],
  ['fr', 'fr-FR'],
  ['fr-CA,fr;q=0.9,en;q=0.8', 'fr-CA'],
  ['de;q=0.9,en;q=0.2,fr;q=0.7', 'fr-FR'],
  ['en-US,en;q=0.9,fr;q=0.8', 'en-US'],
  ['fr;q=0,en', 'en-GB'],
  ['fr-<script>', 'en-GB'],
])('a browser that asks for %j reads %s', (accept, locale) => {
  expect(languageOf(asked(accept)).locale).toBe(locale)
})

it('what the payer chose counts more than what the browser asks for', () => {
  expect(languageOf(asked('en-US', '?lang=fr')).code).toBe('fr')
  expect(languageOf(asked('en-US', '', 'a=b; payer_language=fr')).code).toBe('fr')
  expect(languageOf(asked('fr-CA', '?lang=en', 'payer_language=fr')).locale).toBe('en-GB')
  expect(languageOf(asked('fr-CA,en', '?lang=fr', 'payer_language=en')).locale).toBe('fr-CA')
  for (const wrong of ['?lang=xx', '?lang=__proto__']) {
    expect(languageOf(asked('fr', wrong)).code).toBe('fr')
    expect(keepLanguage(asked('fr', wrong), 'https://pay.example.com')).toEqual([])
  }
  const [cookie] = keepLanguage(asked('en', '?lang=fr'), 'https://pay.example.com')
  expect(cookie).toMatch(/^payer_language=fr; Path=\/; .*Secure$/)
})

it.each([
  ['en', 123_456n, 'NGN', '₦1,234.56'],
  ['fr', 123_456n, 'NGN', '1\u202f234,56\u00a0₦'],
  ['fr', 123_456n, 'EUR', '1\u202f234,56\u00a0€'],
  ['en', 123_456n, 'USD', 'US$1,234.56'],
  ['en-US', 123_456n, 'USD', '$1,234.56'],
  ['en', 123_456n, 'CAD', 'CA$1,234.56'],
  ['en', 123_456n, 'JPY', 'JP¥123,456'],
  ['en', 123_456n, 'KWD', 'KWD\u00a0123.456'],
  ['en', 9_007_199_254_740_993n, 'NGN', '₦90,071,992,547,409.93'],
])('for %s, %d of %s is %s', (accept, amountMinor, currency, text) => {
  expect(languageOf(asked(accept)).money(amountMinor, currency)).toBe(text)
})

it('days and numbers are written as in the language', () => {
  const [en, fr] = [languageOf(asked('en')), languageOf(asked('fr'))]
  expect([en.day('2026-11-05'), fr.day('2026-11-05')]).toEqual([
    '5 November 2026',
    '5 novembre 2026',
  ])
  expect([en.number('1234.50'), fr.number('1234.50')]).toEqual(['1,234.50', '1\u202f234,50'])
})

// The types make sure that no text is missing; this, that none was left in English.
it('every text is translated', () => {
  const same: string[] = []
  const compare = (one: unknown, other: unknown, path: string) => {
    if (typeof one === 'string' && one === other) same.push(path)
    if (typeof one !== 'object' || one === null) return
    for (const [name, value] of Object.entries(one)) {
      compare(value, (other as Record<string, unknown>)[name], `${path}.${name}`)
    }
  }
  compare(english, french, 'texts')
  expect(same).toEqual([
    'texts.methods.ussd',
    ...['texts.reminder.total', 'texts.statement.date', 'texts.order.total'],
    ...['texts.invoice.date', 'texts.invoice.net', 'texts.invoice.total'],
    ...['texts.quote.date', 'texts.quote.net'],
  ])
})
