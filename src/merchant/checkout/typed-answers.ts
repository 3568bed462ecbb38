// Reads what the payer answered to the fields that a link asks for. Fields that it does not ask for
// are ignored.
import { optionalLine, optionalText } from '../../kernel/operations/schemas.ts'
import type { PayerLanguage } from '../../payer-texts/payer-language.ts'
import {
  answerMax,
  type PayerAnswers,
  type PayerField,
  type PayerFields,
  payerFieldNames,
} from '../payment-links/payer-fields.ts'

export type TextOfField = { readonly [field in PayerField]?: string | undefined }

export type TypedAnswers = {
  // As the payer typed them.
  readonly typed: TextOfField
  // Null if nothing was answered.
  readonly answers: PayerAnswers | null
  readonly errors: TextOfField
}

export function answerField(field: PayerField): string {
  return `payer-${field}`
}

// Has several lines.
export function isLongAnswer(field: PayerField): boolean {
  return field === 'address' || field === 'note'
}

// A number that can be called has at least so many digits.
const phonePattern = /^(?:[^\p{Nd}]*\p{Nd}){5}/u

export function readAnswers(
  fields: PayerFields,
  form: URLSearchParams,
  { texts: { answers: texts } }: PayerLanguage,
): TypedAnswers {
  const typed: Partial<Record<PayerField, string>> = {}
  const answers: Partial<Record<PayerField, string>> = {}
  const errors: Partial<Record<PayerField, string>> = {}
  for (const field of payerFieldNames.filter((name) => fields[name] !== undefined)) {
    // Browsers send line breaks as two characters.
    const text = (form.get(answerField(field)) ?? '').replaceAll('\r\n', '\n')
    typed[field] = text
    const max = answerMax[field]
    const schema = isLongAnswer(field) ? optionalText(max) : optionalLine(max)
    const { data } = schema.safeParse(text)
    if (data === undefined) {
      errors[field] = [...text.trim()].length > max ? texts.tooLong(max) : texts.notPrintable
    } else if (data === '') {
      if (fields[field] === 'required') errors[field] = texts.missing[field]
    } else if (field === 'phone' && !phonePattern.test(data)) {
      errors[field] = texts.noPhone
    } else {
      answers[field] = data
    }
  }
  return { typed, answers: Object.keys(answers).length > 0 ? answers : null, errors }
}
