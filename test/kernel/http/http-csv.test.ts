import { describe, expect, it } from 'vitest'
import { csvHeaders, csvLine } from '../../../src/kernel/http/csv.ts'
import { parseCsv } from '../../support/csv.ts'

describe('a cell of text', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1', '＋1', '－1', '＠a'])(
    'that a spreadsheet would run is made plain text: %j',
    (formula) => {
      expect(parseCsv(csvLine([formula]))).toEqual([[`'${formula}`]])
    },
  )

  it('is made plain text also when it needs quotes, which a spreadsheet takes away first', () => {
    expect(csvLine(['=HYPERLINK("https://evil.example","a")'])).toBe(
      `"'=HYPERLINK(""https://evil.example"",""a"")"\r\n`,
    )
  })

  it.each(['a-b', 'a=b', '1', 'mail@example.com', "'=1", ' =1', '', '0190-7000'])(
    'that is no formula is left alone: %j',
    (text) => {
      expect(csvLine([text])).toBe(`${text}\r\n`)
    },
  )
})

describe('a line', () => {
  it('comes back as it was, whatever is in it', () => {
    const texts = ['a,b', 'say "a"', 'two\r\nlines', 'one\nmore', '', '"', '你好, 世界', '"",""']
    expect(parseCsv(csvLine(texts) + csvLine(['next']))).toEqual([texts, ['next']])
  })

  it('ends with CR LF', () => {
    expect(csvLine(['a', 'b'])).toBe('a,b\r\n')
  })
})

it('is a file to be saved under a name', () => {
  expect(csvHeaders('a.csv')).toEqual({
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': 'attachment; filename="a.csv"',
  })
})
