// Days in the books. No books are older than 1900, and `ledger` reads no journal with a day before
// 1400, so a year such as 1026 is always mistyped.
import { z } from 'zod'
import { day, describedAs } from '../../kernel/operations/schemas.ts'

export const firstBookDay = '1900-01-01'

export const bookDay = () =>
  describedAs(
    day().refine((text) => !/^1[0-8]\d\d-\d\d-\d\d$/.test(text), {
      error: `Must not be before ${firstBookDay}.`,
    }),
    { type: 'string', format: 'date' },
  )

// For operations that post on a chosen day: the person has checked the year.
export const oldDate = { confirmsOldDate: z.boolean().optional() }
