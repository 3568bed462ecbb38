// Which mails the payers of the business get.
import { getPayerMails } from '../../merchant/payer-mails/get-payer-mails.ts'
import type { PayerMails } from '../../merchant/payer-mails/payer-mails.ts'
import { setPayerMails } from '../../merchant/payer-mails/set-payer-mails.ts'
import { formPage } from '../components/form-page.tsx'
import { type Draft, defineForm } from '../shell/define-page.ts'

const path = '/settings/payer-mails'

const kinds: readonly (readonly [keyof PayerMails, label: string, hint: string])[] = [
  [
    'receipts',
    'Receipts',
    'After every payment: amount, date, method, reference and a link to the receipt.',
  ],
  ['refunds', 'Refund notices', 'When a refund is on its way to the payer.'],
  [
    'subscriptionStarts',
    'Start of a subscription',
    'When the first period is paid, with the address of the subscriber’s own page.',
  ],
  ['renewals', 'Renewals', 'A receipt each time the saved card was charged.'],
  [
    'failedRenewals',
    'Failed renewals',
    'Each time the saved card could not be charged, with a link to change it.',
  ],
  ['subscriptionEnds', 'End of a subscription', 'When it is cancelled or could not be paid.'],
]

export const payerMailsForm = defineForm({
  path,
  operation: setPayerMails,
  input: (_visit, form) => ({
    receipts: form.get('receipts') === 'on',
    renewals: form.get('renewals') === 'on',
    refunds: form.get('refunds') === 'on',
    subscriptionStarts: form.get('subscriptionStarts') === 'on',
    failedRenewals: form.get('failedRenewals') === 'on',
    subscriptionEnds: form.get('subscriptionEnds') === 'on',
  }),
  async show(visit, draft) {
    const now = await visit.run(getPayerMails, {})
    return formPage({
      title: 'Mails to payers',
      back: { href: visit.href('/settings'), text: 'Settings' },
      draft,
      submit: 'Save mails',
      children: (
        <>
          <p>
            They carry your <a href={visit.href('/settings/branding')}>branding</a> and contact, and
            count for payments and refunds from now on. Mails of the sandbox are marked as a test,
            and kept instead of sent.
          </p>
          <fieldset class="mb-3">
            <legend class="form-label">Your payers get</legend>
            {kinds.map(([kind, label, hint]) => (
              <label class="form-check" key={kind}>
                <input
                  class="form-check-input"
                  type="checkbox"
                  name={kind}
                  value="on"
                  checked={isChecked(draft, kind, now[kind])}
                />
                <span class="form-check-label">
                  <strong>{label}</strong>
                  <br />
                  <span class="quiet">{hint}</span>
                </span>
              </label>
            ))}
          </fieldset>
        </>
      ),
    })
  },
  done: (visit) => ({ location: visit.href(path), message: 'The mails to payers are saved.' }),
})

// A form that is shown again keeps what the person ticked.
function isChecked({ values, problems, refusal }: Draft, kind: string, isOn: boolean): boolean {
  const isAgain = refusal !== undefined || Object.keys(problems).length > 0
  return isAgain ? values.get(kind) === 'on' : isOn
}
