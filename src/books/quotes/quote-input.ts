import type { z } from 'zod'
import { uuid } from '../../kernel/operations/schemas.ts'
import { draftInput } from '../documents/document-input.ts'
import { bookDay } from '../input/day-input.ts'

export const quoteInput = draftInput.omit({ dueDate: true }).extend({
  expiryDate: bookDay().optional(),
  leadId: uuid().optional(),
})

export type QuoteInput = z.output<typeof quoteInput>
