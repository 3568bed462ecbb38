// A plan: what is charged, how often, and in whose days. It never changes.
import { z } from 'zod'
import { findCurrency } from '../../kernel/money/currency.ts'
import { emailAddress, line } from '../../kernel/operations/schemas.ts'
import { type Interval, type IntervalUnit, intervalUnits, isTimeZone } from './billing-period.ts'

export type Plan = {
  readonly id: string
  readonly name: string
  readonly currency: string
  readonly amountMinor: bigint
  readonly intervalUnit: IntervalUnit
  readonly intervalCount: number
  readonly timeZone: string
  readonly createdAt: Date
}

const amountMinorMax = 10_000_000_000n
const intervalCountMax = 366

export const planInput = z.strictObject({
  name: line(140),
  currency: z.string().refine((code) => findCurrency(code), { error: 'Must be a currency.' }),
  amountMinor: z.bigint().min(1n).max(amountMinorMax),
  intervalUnit: z.enum(intervalUnits),
  intervalCount: z.int().min(1).max(intervalCountMax),
  timeZone: z.string().refine(isTimeZone, { error: 'Must be a time zone such as Africa/Lagos.' }),
})

export const payerInput = z.strictObject({
  email: emailAddress(),
  name: line(200).nullable(),
})

export function intervalOf({ intervalUnit, intervalCount }: Plan): Interval {
  return { unit: intervalUnit, count: intervalCount }
}

// `every month`, `every 3 weeks`.
export function intervalText({ intervalUnit, intervalCount }: Plan): string {
  return intervalCount === 1 ? `every ${intervalUnit}` : `every ${intervalCount} ${intervalUnit}s`
}
