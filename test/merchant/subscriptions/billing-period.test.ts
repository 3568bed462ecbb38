// When periods start: known examples, and properties that hold for all of them.
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  type Interval,
  intervalUnits,
  periodOn,
  periodStart,
} from '../../../src/kernel/basics/interval.ts'
import {
  isTimeZone,
  localDay,
  startOfDay,
} from '../../../src/merchant/subscriptions/billing-period.ts'

const every = (unit: Interval['unit'], count = 1): Interval => ({ unit, count })

function starts(anchor: string, interval: Interval, count: number): string[] {
  return Array.from({ length: count }, (_, index) => periodStart(anchor, interval, index + 1))
}

describe('periods', () => {
  const examples: [string, string, Interval, string[]][] = [
    [
      'of a month keep the 31st',
      '2027-01-31',
      every('month'),
      ['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31'],
    ],
    [
      'of a month keep the 31st through a leap year',
      '2028-01-31',
      every('month'),
      ['2028-01-31', '2028-02-29', '2028-03-31'],
    ],
    [
      'of a month keep the 30th',
      '2027-12-30',
      every('month'),
      ['2027-12-30', '2028-01-30', '2028-02-29', '2028-03-30'],
    ],
    [
      'of a year keep 29 February',
      '2028-02-29',
      every('year'),
      ['2028-02-29', '2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29'],
    ],
    [
      'of a year know that 2100 is no leap year',
      '2096-02-29',
      every('year', 4),
      ['2096-02-29', '2100-02-28', '2104-02-29'],
    ],
    [
      'of three months keep the last day',
      '2026-11-30',
      every('month', 3),
      ['2026-11-30', '2027-02-28', '2027-05-30', '2027-08-30', '2027-11-30'],
    ],
    ['of a week go on over a new year', '2026-12-28', every('week'), ['2026-12-28', '2027-01-04']],
    [
      'of ten days count the leap day',
      '2028-02-20',
      every('day', 10),
      ['2028-02-20', '2028-03-01'],
    ],
  ]
  it.each(examples)('%s', (_name, anchor, interval, expected) => {
    expect(starts(anchor, interval, expected.length)).toEqual(expected)
  })
})

const days = fc
  .integer({ min: 0, max: 80_000 })
  .map((offset) => new Date(Date.UTC(2000, 0, 1 + offset)).toISOString().slice(0, 10))
const intervals = fc.record({
  unit: fc.constantFrom(...intervalUnits),
  count: fc.integer({ min: 1, max: 24 }),
})
// Up to the year 7000.
const numbers = fc.integer({ min: 1, max: 200 })

test('periods follow each other without a gap, and none is empty', () => {
  fc.assert(
    fc.property(days, intervals, numbers, (anchor, interval, number) => {
      const start = periodStart(anchor, interval, number)
      expect(start < periodStart(anchor, interval, number + 1)).toBe(true)
    }),
  )
})

test('the first day and the last day of a period are in it', () => {
  fc.assert(
    fc.property(days, intervals, numbers, (anchor, interval, number) => {
      const next = periodStart(anchor, interval, number + 1)
      const last = new Date(Date.parse(`${next}T00:00:00Z`) - 1).toISOString().slice(0, 10)
      expect(periodOn(anchor, interval, periodStart(anchor, interval, number))).toBe(number)
      expect(periodOn(anchor, interval, last)).toBe(number)
      expect(periodOn(anchor, interval, next)).toBe(number + 1)
    }),
  )
})

test('no period has begun before the anchor', () => {
  expect(periodOn('2027-03-02', every('day'), '2027-03-01')).toBe(0)
})

test('a period of months begins on the day of the anchor, or on the last of a shorter month', () => {
  fc.assert(
    fc.property(days, numbers, (anchor, number) => {
      const [year, month, date] = periodStart(anchor, every('month'), number).split('-')
      const last = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
      expect(Number(date)).toBe(Math.min(Number(anchor.slice(8)), last))
    }),
  )
})

describe('a day begins', () => {
  const zones: [string, string, string, string][] = [
    ['at midnight in UTC', '2027-03-28', 'UTC', '2027-03-28T00:00:00.000Z'],
    ['an hour before it in Lagos', '2027-03-28', 'Africa/Lagos', '2027-03-27T23:00:00.000Z'],
    ['before the clock goes forward', '2027-03-28', 'Europe/Berlin', '2027-03-27T23:00:00.000Z'],
    ['after the clock went forward', '2027-03-29', 'Europe/Berlin', '2027-03-28T22:00:00.000Z'],
    ['after the clock went back', '2027-11-01', 'Europe/Berlin', '2027-10-31T23:00:00.000Z'],
    ['at one where midnight is left out', '2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
    [
      'half an hour off in Adelaide',
      '2027-07-01',
      'Australia/Adelaide',
      '2027-06-30T14:30:00.000Z',
    ],
    [
      '14 hours early in Kiritimati',
      '2027-01-01',
      'Pacific/Kiritimati',
      '2026-12-31T10:00:00.000Z',
    ],
    [
      'with the next one, which Samoa left out',
      '2011-12-30',
      'Pacific/Apia',
      '2011-12-30T10:00:00.000Z',
    ],
  ]
  it.each(zones)('%s', (_name, day, zone, expected) => {
    expect(startOfDay(day, zone).toISOString()).toBe(expected)
  })

  it('at a moment that is in it, one second after one that is not', () => {
    const zone = fc.constantFrom(
      'UTC',
      'Africa/Lagos',
      'America/Sao_Paulo',
      'Africa/Cairo',
      'Asia/Kathmandu',
      'Europe/Lisbon',
      'America/St_Johns',
      'Pacific/Kiritimati',
    )
    fc.assert(
      fc.property(days, zone, (day, timeZone) => {
        const start = startOfDay(day, timeZone)
        expect(localDay(start, timeZone) >= day).toBe(true)
        expect(localDay(new Date(start.getTime() - 1000), timeZone) < day).toBe(true)
      }),
    )
  })
})

test('only zones that there are can be named', () => {
  expect(['UTC', 'Africa/Lagos', 'Europe/Berlin'].map(isTimeZone)).toEqual([true, true, true])
  expect(['', 'Lagos', 'Africa/Nowhere'].map(isTimeZone)).toEqual([false, false, false])
})
