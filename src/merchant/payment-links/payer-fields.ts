// What a link asks its payers for beside the e-mail address: each field is optional or required, or
// not asked for. The answers belong to the payment. The name is also the name of its payer.
import { z } from 'zod'
import { oneOf } from '../../kernel/operations/schemas.ts'

export const payerFieldNames = ['name', 'phone', 'address', 'note'] as const
export type PayerField = (typeof payerFieldNames)[number]

const needs = ['optional', 'required'] as const

// Those that are left out are not asked for.
export type PayerFields = { readonly [field in PayerField]?: (typeof needs)[number] | undefined }
export type PayerAnswers = Readonly<Partial<Record<PayerField, string>>>

// In characters. Together they fit into a message of a few kilobytes.
export const answerMax: Readonly<Record<PayerField, number>> = {
  name: 140,
  phone: 40,
  address: 500,
  note: 500,
}

const need = () => oneOf(needs).optional()

export const payerFields = z
  .strictObject({ name: need(), phone: need(), address: need(), note: need() })
  .optional()
  .meta({
    description:
      'What payers are asked for beside their e-mail address. What is left out is not asked for. ' +
      'Payments show the answers.',
  })

const shownNeed = () => z.enum(needs).optional()

export const payerFieldsSchema = z
  .object({ name: shownNeed(), phone: shownNeed(), address: shownNeed(), note: shownNeed() })
  .meta({ description: 'What payers are asked for. Empty if only for the e-mail address.' })

const answer = (example: string) => z.string().optional().meta({ example })

export const payerAnswersSchema = z
  .object({
    name: answer('A payer'),
    phone: answer('+234 803 123 4567'),
    address: answer('12 Marina Road, Lagos'),
    note: answer('Please ring twice.'),
  })
  .optional()
  .meta({ description: 'What the payer answered, if the link asks for something.' })

// Not set on a payment without answers.
export function presentAnswers(answers: PayerAnswers | null) {
  return answers === null ? {} : { payer_answers: answers }
}

export function isSameAnswers(one: PayerAnswers | null, other: PayerAnswers | null): boolean {
  return payerFieldNames.every((name) => one?.[name] === other?.[name])
}
