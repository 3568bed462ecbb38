import type { z } from 'zod'
import { day, uuid } from '../../kernel/operations/schemas.ts'
import { draftInput } from '../documents/document-input.ts'

export const quoteInput = draftInput.omit({ dueDate: true }).extend({
  expiryDate: day().optional(),
  leadId: uuid().optional(),
})

export type QuoteInput = z.output<typeof quoteInput>
