// Whatever people write into descriptions, names and titles, the programs that read the export see
// the same postings on the same days. The texts are made of what means something to one of them.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Account } from '../../../src/books/accounts/account.ts'
import { exportFormats, textWriter } from '../../../src/books/export/journal-text.ts'
import type { StoredEntry } from '../../../src/books/journal/journal-entry.ts'
import { majorText } from '../../../src/kernel/money/minor-units.ts'
import { postingsRead } from '../../support/text-accounting.ts'

const account = (code: string, name: string, type: Account['type']): Account => ({
  ...{ id: code, code, name, type },
  ...{ subtype: type === 'asset' ? 'bank' : 'sales', active: true },
})

const names = new Map([
  ['1000', 'Assets:1000-Bank'],
  ['4000', 'Income:4000-Sales'],
])

type Said = { readonly description: string; readonly note: string; readonly isForeign: boolean }

function entryOf({ description, note, isForeign }: Said, index: number): StoredEntry {
  const sequence = BigInt(index + 1)
  const baseMinor = 1000n + sequence
  const line = { contactId: null, openItemId: null, taxCodeId: null, description: note }
  const own = isForeign
    ? { currency: 'USD', amountMinor: 2n * baseMinor }
    : { currency: 'EUR', amountMinor: baseMinor }
  return {
    ...{ sequence, kind: 'journal.posted', description, reversesSequence: null },
    id: '0190a000-0000-7000-8000-000000000001',
    sourceId: '0190a000-0000-7000-8000-000000000002',
    date: index % 2 === 0 ? '2026-01-31' : '2025-12-31',
    ...{ postedByKind: 'person', postedBy: 'test', postedAt: new Date(0), hash: Buffer.alloc(32) },
    lines: [
      { ...line, accountId: '1000', baseMinor, ...own },
      {
        ...line,
        accountId: '4000',
        baseMinor: -baseMinor,
        currency: 'EUR',
        amountMinor: -baseMinor,
      },
    ],
  }
}

async function expectSamePostings(title: string, said: readonly Said[]): Promise<void> {
  const accounts = [account('1000', 'Bank', 'asset'), account('4000', 'Sales', 'income')]
  const entries = said.map(entryOf)
  const expected = entries
    .flatMap(({ date, lines }) =>
      lines.map(
        ({ accountId, baseMinor }) =>
          `${date} ${names.get(accountId)} ${majorText(baseMinor, 2)} EUR`,
      ),
    )
    .toSorted()
  for (const format of exportFormats) {
    const writer = textWriter(format, accounts, 'EUR')
    const header = writer.header(title, '2025-12-31', ['EUR', 'USD'])
    const journal = header + entries.map(writer.entry).join('')
    expect(await postingsRead(format, journal), format).toEqual(expected)
  }
}

const odd = [
  ...['[2019/01/01]', '[2019-01-01]', '[=2019/01/01]', '[2019/01/01=2018/01/01]', '[99]', '[x'],
  ...['date:2019-01-01', 'date: x', 'date2:2019-01-01', 'date:', 'Date:2019/01/01', ':date:'],
  ...['value:: 1/0', 'Value: 5 EUR', 'Payee: No one', 'UUID: 1', 'key:: bad(', 'a:b', ':a:b:'],
  ...[
    ';',
    '; comment',
    '  ; note',
    '\t; note',
    '|',
    'payee | note',
    '#',
    '%',
    '%tag',
    '^link',
    '#tag',
  ],
  ...['\n', '\r\n', '\n2019-01-01 * x\n', '\n    Assets:1000-Bank  5 EUR', '\ninclude /etc/passwd'],
  ...['\u2028', '\u0085', '\u00a0', '\ufeff', '\u200b', '\t', '  ', '\u0007'],
  ...[
    '"',
    '\\',
    '\\"',
    '""',
    "'",
    '\\n',
    '\\x',
    '`',
    '{',
    '}',
    '{{',
    '(',
    ')',
    '(5)',
    '*',
    '!',
    '=',
  ],
  ...['= 5', '== 0 EUR', '@', '@@ 5 EUR', '@ 5', '5 EUR', '-5', '~ monthly', 'apply account x'],
  ...[
    'end',
    'comment',
    'P 2019-01-01 EUR 5 USD',
    'option "title" "x"',
    'balance',
    'open',
    'é',
    '😀',
  ],
  ...['Ωδή', '\u202e', 'ﷺ', '𝒳', '日本語', 'test', '$', '€5', '1,000.00', '0', '-', '--', '+'],
]

test('the three programs read the same postings, whatever the texts say', async () => {
  const said = odd.map((text, index) => {
    return { description: text, note: `A ${text} b`, isForeign: index % 3 === 0 }
  })
  await expectSamePostings(odd.join(' '), said)
})

test('an entry that an earlier version took with a year before 1900 is read too', async () => {
  const accounts = [account('1000', 'Bank', 'asset'), account('4000', 'Sales', 'income')]
  const said = { description: 'Old', note: 'Old', isForeign: false }
  const entry = { ...entryOf(said, 0), date: '1026-01-01' }
  for (const format of exportFormats) {
    const writer = textWriter(format, accounts, 'EUR')
    const journal = writer.header('Old', entry.date, ['EUR']) + writer.entry(entry)
    expect(journal).toMatch(/dated: "?1026-01-01/)
    expect(await postingsRead(format, journal), format).toEqual([
      '1900-01-01 Assets:1000-Bank 10.01 EUR',
      '1900-01-01 Income:4000-Sales -10.01 EUR',
    ])
  }
})

test('they do so whatever texts are put together by chance', { tags: ['long'] }, async () => {
  const text = fc
    .array(fc.oneof(fc.constantFrom(...odd), fc.string({ unit: 'grapheme', maxLength: 8 })), {
      minLength: 1,
      maxLength: 8,
    })
    .chain((parts) => fc.constantFrom(parts.join(''), parts.join(' ')))
    .filter((joined) => joined.trim() !== '')
  const said = fc.record({ description: text, note: text, isForeign: fc.boolean() })
  const property = fc.asyncProperty(
    text,
    fc.array(said, { minLength: 20, maxLength: 60 }),
    expectSamePostings,
  )
  await fc.assert(property, { numRuns: 40, endOnFailure: true })
})
