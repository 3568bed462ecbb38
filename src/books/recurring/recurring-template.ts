// What a schedule makes, as it is stored: the input of a document or journal without its day. All
// values are text, and placeholders are filled in when a period is made.
import { z } from 'zod'
import { addDays } from '../../kernel/basics/calendar.ts'
import { invalidField } from '../../kernel/basics/fault.ts'
import { toText } from '../../kernel/money/decimal.ts'
import { line } from '../../kernel/operations/schemas.ts'
import { validated } from '../../kernel/operations/validate.ts'
import { type DocumentInput, documentInput, draftInput } from '../documents/document-input.ts'
import { manualLineInput, manualLinesMax } from '../journal/manual-lines.ts'
import { fillPlaceholders, type PlaceholderPeriod, placeholderProblem } from './placeholders.ts'

const dueDaysMax = 365

export const documentTemplateInput = draftInput.omit({ date: true, dueDate: true }).extend({
  // Days from the date until it is due; the terms of the contact by default.
  dueDays: z.int().min(0).max(dueDaysMax).optional(),
})

export const journalTemplateInput = z.strictObject({
  description: line(500),
  lines: z.array(manualLineInput).min(2, 'At least 2 lines.').max(manualLinesMax),
})

export type JournalTemplate = z.output<typeof journalTemplateInput>

export type DocumentTemplate = Readonly<
  Record<'reference' | 'currency' | 'notes', string | null>
> & {
  readonly dueDays: number | null
  readonly lines: readonly TemplateLine[]
}

export type TemplateLine = {
  readonly description: string
  // Decimal text.
  readonly quantity: string
  readonly unitPrice: string
  readonly discountPct: string
  readonly itemId: string | null
  readonly accountId: string | null
  readonly taxCodeId: string | null
}

export function writeDocumentTemplate(
  input: z.output<typeof documentTemplateInput>,
): DocumentTemplate {
  return {
    reference: input.reference || null,
    currency: input.currency ?? null,
    notes: input.notes || null,
    dueDays: input.dueDays ?? null,
    lines: input.lines.map((one) => ({
      description: one.description,
      quantity: toText(one.quantity),
      unitPrice: toText(one.unitPrice),
      discountPct: one.discountPct ? toText(one.discountPct) : '0',
      itemId: one.itemId ?? null,
      accountId: one.accountId ?? null,
      taxCodeId: one.taxCodeId ?? null,
    })),
  }
}

// The document of one period. Refuses texts that have become too long.
export function documentOf(
  contactId: string,
  { reference, currency, notes, dueDays, lines }: DocumentTemplate,
  period: PlaceholderPeriod,
): DocumentInput {
  const fill = (text: string) => fillPlaceholders(text, period)
  return validated(documentInput, {
    contactId,
    date: period.day,
    ...(dueDays !== null && { dueDate: addDays(period.day, dueDays) }),
    ...(reference !== null && { reference: fill(reference) }),
    ...(currency !== null && { currency }),
    ...(notes !== null && { notes: fill(notes) }),
    lines: lines.map((one) => ({
      description: fill(one.description),
      quantity: one.quantity,
      unitPrice: one.unitPrice,
      discountPct: one.discountPct,
      ...(one.itemId !== null && { itemId: one.itemId }),
      ...(one.accountId !== null && { accountId: one.accountId }),
      ...(one.taxCodeId !== null && { taxCodeId: one.taxCodeId }),
    })),
  })
}

export function journalOf(
  { description, lines }: JournalTemplate,
  period: PlaceholderPeriod,
): JournalTemplate {
  const fill = (text: string) => fillPlaceholders(text, period)
  return validated(journalTemplateInput, {
    description: fill(description),
    lines: lines.map((one) => ({
      ...one,
      ...(one.description !== undefined && { description: fill(one.description) }),
    })),
  })
}

// All texts in which people may have put a placeholder.
export function requireKnownPlaceholders(
  fields: Readonly<Record<string, string | null>>,
  // Where the text is within its field.
  place = '',
): void {
  for (const [field, text] of Object.entries(fields)) {
    const problem = text === null ? undefined : placeholderProblem(text)
    if (problem) throw invalidField(field, `${place}${problem}`)
  }
}
