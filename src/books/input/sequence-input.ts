// The number of a journal entry. Pages pass a bigint, commands a number or its digits.
import { z } from 'zod'
import { describedAs } from '../../kernel/operations/schemas.ts'

export const entrySequence = () =>
  describedAs(
    z
      .union([z.bigint(), z.int(), z.string().regex(/^\d{1,18}$/)], {
        error: 'Must be the number of an entry.',
      })
      .transform(BigInt)
      .refine((sequence) => sequence >= 1n, { error: 'Must be the number of an entry.' }),
    { type: 'integer', minimum: 1 },
  )
