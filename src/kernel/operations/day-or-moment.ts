import { z } from 'zod'
import { addMilliseconds } from '../basics/clock.ts'
import { dateTime, day, describedAs } from './schemas.ts'

// A day in UTC or a moment, as the first moment that counts (`start`) or that no longer does
// (`end`): the whole day, or the moment itself, is included.
export const dayOrMoment = (edge: 'start' | 'end') =>
  describedAs(
    z.string().transform((text, refinement) => {
      const isDay = day().safeParse(text).success
      const parsed = dateTime().safeParse(isDay ? `${text}T00:00:00Z` : text)
      if (parsed.success) {
        const lengthMs = isDay ? 24 * 60 * 60 * 1000 : 1
        return edge === 'start' ? parsed.data : addMilliseconds(parsed.data, lengthMs)
      }
      const message = 'Must be a date such as 2030-01-31 or a time such as 2030-01-31T12:00:00Z.'
      refinement.addIssue({ code: 'custom', message })
      return z.NEVER
    }),
    {
      oneOf: [
        { type: 'string', format: 'date' },
        { type: 'string', format: 'date-time' },
      ],
      example: '2026-01-31',
    },
  )
