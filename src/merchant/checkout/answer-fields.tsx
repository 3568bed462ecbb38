// The fields of a link that asks its payers for more than the e-mail address.
import type { PayerLanguage } from '../../payer-texts/payer-language.ts'
import {
  answerMax,
  type PayerField,
  type PayerFields,
  payerFieldNames,
} from '../payment-links/payer-fields.ts'
import { PayField } from './pay-field.tsx'
import { answerField, isLongAnswer, type TypedAnswers } from './typed-answers.ts'

export type ShownAnswers = Pick<TypedAnswers, 'typed' | 'errors'>

type AnswerProps = {
  readonly fields: PayerFields
  readonly shown: ShownAnswers | undefined
  readonly language: PayerLanguage
}

const attributes: Readonly<Record<PayerField, Readonly<Record<string, string>>>> = {
  name: { autocomplete: 'name' },
  phone: { type: 'tel', autocomplete: 'tel' },
  address: { autocomplete: 'street-address', rows: '3' },
  note: { rows: '3' },
}

export function AnswerFields({ fields, shown, language }: AnswerProps) {
  const { answers: texts } = language.texts
  return (
    <>
      {payerFieldNames
        .filter((field) => fields[field] !== undefined)
        .map((field) => (
          <PayField
            key={field}
            label={fields[field] === 'required' ? texts[field] : texts.optional(texts[field])}
            name={answerField(field)}
            isLong={isLongAnswer(field)}
            isOptional={fields[field] !== 'required'}
            attributes={{ ...attributes[field], maxlength: String(answerMax[field]) }}
            value={shown?.typed[field]}
            error={shown?.errors[field]}
          />
        ))}
    </>
  )
}
