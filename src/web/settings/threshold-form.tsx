// The amounts above which a second person has to approve.
import { invalidField } from '../../kernel/basics/fault.ts'
import { isCurrency } from '../../kernel/money/currency.ts'
import type { ThresholdKind } from '../../merchant/approvals/approval.ts'
import { requestThreshold } from '../../merchant/approvals/request-threshold.ts'
import { readTypedAmount } from '../components/amount-field.ts'
import { DraftSelect, DraftText } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { thresholdLabels } from '../components/threshold-labels.ts'
import { defineForm } from '../shell/define-page.ts'

export const thresholdForm = defineForm({
  path: '/settings/thresholds/new',
  operation: requestThreshold,
  isSensitive: true,
  input(_visit, form) {
    const currency = (form.get('currency') ?? '').trim().toUpperCase()
    if (!isCurrency(currency)) throw invalidField('currency', 'Enter a currency such as NGN.')
    return {
      operation: (form.get('operation') ?? '') as ThresholdKind,
      currency,
      amountMinor: readLimit(form, currency),
    }
  },
  show: async (visit, draft) =>
    formPage({
      title: 'Approval threshold',
      back: { href: visit.href('/settings/thresholds'), text: 'Approval thresholds' },
      draft,
      submit: 'Set threshold',
      children: (
        <>
          <p>If another person can approve, they have to agree to the new threshold first.</p>
          <DraftSelect
            draft={draft}
            name="operation"
            label="A second person approves"
            choices={thresholdLabels}
          />
          <DraftText draft={draft} name="currency" label="Currency" initial="NGN" />
          <DraftText
            draft={draft}
            name="amountMinor"
            label="Amount"
            hint="0 holds everything. Leave it empty to take a daily or overdraft limit away."
            inputMode="decimal"
            isOptional
          />
        </>
      ),
    }),
  done: (visit, { approvalId }) =>
    approvalId
      ? {
          location: visit.href(`/approvals/${approvalId}`),
          message: 'The new threshold waits for a second person.',
        }
      : { location: visit.href('/settings/thresholds'), message: 'The threshold is set.' },
})

// Zero and nothing are both meaningful here.
function readLimit(form: URLSearchParams, currency: string): bigint | null {
  const text = (form.get('amountMinor') ?? '').trim()
  if (text === '') return null
  return /^0+([.,]0*)?$/.test(text) ? 0n : readTypedAmount(form, 'amountMinor', currency)
}
