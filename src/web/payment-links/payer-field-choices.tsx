// What a payment link asks its payers for: chosen in the form, and shown on the page of the link.
import {
  type PayerField,
  type PayerFields,
  payerFieldNames,
} from '../../merchant/payment-links/payer-fields.ts'
import { DraftSelect } from '../components/draft-fields.tsx'
import type { Draft } from '../shell/define-page.ts'

export const payerFieldLabels: Readonly<Record<PayerField, string>> = {
  name: 'Name',
  phone: 'Phone',
  address: 'Address',
  note: 'Note',
}

const choices = { off: 'Not asked for', optional: 'Optional', required: 'Required' } as const

const nameOf = (field: PayerField) => `ask_${field}`

export function PayerFieldChoices({ draft }: { draft: Draft }) {
  const isUsed = payerFieldNames.some((field) => {
    const value = draft.values.get(nameOf(field))
    return value !== null && value !== 'off'
  })
  return (
    <details class="mb-3" open={isUsed || 'payerFields' in draft.problems}>
      <summary>What payers are asked for</summary>
      <p class="form-hint">
        Every payer enters an e-mail address. What else you ask for is shown on the payment.
      </p>
      {payerFieldNames.map((field) => (
        <DraftSelect
          key={field}
          draft={draft}
          name={nameOf(field)}
          label={payerFieldLabels[field]}
          initial="off"
          choices={choices}
        />
      ))}
    </details>
  )
}

// The operation refuses anything but optional and required.
export function readPayerFields(form: URLSearchParams) {
  return Object.fromEntries(
    payerFieldNames.flatMap((field) => {
      const need = form.get(nameOf(field)) ?? 'off'
      return need === 'off' ? [] : [[field, need]]
    }),
  )
}

// Such as `Name, phone (optional)`.
export function payerFieldsText(fields: PayerFields): string {
  const text = payerFieldNames
    .filter((field) => fields[field] !== undefined)
    .map((field) => {
      const label = payerFieldLabels[field].toLowerCase()
      return fields[field] === 'optional' ? `${label} (optional)` : label
    })
    .join(', ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
