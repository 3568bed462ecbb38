import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Decimal, parseDecimal, toText } from '../../../src/kernel/money/decimal.ts'
import {
  ExactNumber,
  jsonDepthMax,
  parseJson,
  writeJson,
} from '../../../src/kernel/money/exact-number.ts'

describe('reading JSON', () => {
  test('keeps every number as it was written', () => {
    const text = '{"amount":12345678901234567.890,"rate":1E-7,"list":[-0,{"n":0.10}]}'
    expect(parseJson(text)).toEqual({
      amount: new ExactNumber('12345678901234567.890'),
      rate: new ExactNumber('1E-7'),
      list: [new ExactNumber('-0'), { n: new ExactNumber('0.10') }],
    })
  })

  test('leaves strings, booleans and null alone', () => {
    const text = '{"a":"12.50","b":true,"c":null,"d":[],"e":{},"f":"[{\\"1"}'
    expect(parseJson(text)).toEqual({ a: '12.50', b: true, c: null, d: [], e: {}, f: '[{"1' })
    expect(parseJson('7')).toEqual(new ExactNumber('7'))
    expect(parseJson('"x"')).toBe('x')
  })

  test.each(['', '{', '{"a":01}', '[1,]', 'NaN', "{'a':1}", '1 2', '{"a":.5}'])(
    'refuses %j with a SyntaxError',
    (text) => {
      expect(() => parseJson(text)).toThrow(SyntaxError)
    },
  )

  test('refuses nesting that would exhaust the stack, with a number in it or not', () => {
    const nested = (depth: number, inner: string) =>
      `${'['.repeat(depth)}${inner}${']'.repeat(depth)}`
    expect(() => parseJson(nested(100_000, '1'))).toThrow(SyntaxError)
    expect(() => parseJson(nested(jsonDepthMax + 1, ''))).toThrow(SyntaxError)
    expect(() => parseJson(`${'{"a":'.repeat(100_000)}`)).toThrow(SyntaxError)
    expect(JSON.stringify(parseJson(nested(jsonDepthMax, '1')))).toBe(nested(jsonDepthMax, '1'))
    expect(parseJson(JSON.stringify('['.repeat(1000)))).toBe('['.repeat(1000))
  })

  test('a key named __proto__ stays data and changes no prototype', () => {
    const value = parseJson('{"__proto__":{"isAdmin":1}}') as Record<string, unknown>
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(Object.keys(value)).toEqual(['__proto__'])
  })

  test('writes any JSON back as JSON.stringify would, with the numbers untouched', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(writeJson(parseJson(text))).toBe(JSON.stringify(JSON.parse(text)))
      }),
    )
  })
})

describe('writing JSON', () => {
  test('writes exact numbers, decimals and bigints as the numbers they are', () => {
    const value = {
      exact: new ExactNumber('0.10'),
      decimal: new Decimal(1234567890123456789012n, 2),
      bigint: 9_007_199_254_740_993n,
      nested: [{ amount: -1n }, [2n, 'x', new Date(0), undefined]],
      missing: undefined,
      plain: { a: 1 },
    }
    expect(writeJson(value)).toBe(
      '{"exact":0.10,"decimal":12345678901234567890.12,"bigint":9007199254740993,' +
        '"nested":[{"amount":-1},[2,"x","1970-01-01T00:00:00.000Z",null]],"plain":{"a":1}}',
    )
  })

  test('does not change the value that it writes', () => {
    const value = { list: [1n, { amount: 2n }] }
    writeJson(value)
    expect(value).toEqual({ list: [1n, { amount: 2n }] })
  })

  test('a field that is called toJSON is data', () => {
    expect(writeJson({ toJSON: 'x', amount: 1n })).toBe('{"toJSON":"x","amount":1}')
  })

  test('every bigint and every decimal comes back with all its digits', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
        fc.integer({ min: 0, max: 20 }),
        (digits, scale) => {
          const written = writeJson({ whole: digits, part: new Decimal(digits, scale) })
          const read = parseJson(written) as Record<string, ExactNumber>
          expect(read.whole?.source).toBe(digits.toString())
          const part = parseDecimal(read.part?.source ?? '')
          expect(part && toText(part)).toBe(toText(new Decimal(digits, scale)))
        },
      ),
    )
  })
})
