import { createQrCode } from '../../merchant/qr-codes/create-qr-code.ts'
import { readTypedAmount } from '../components/amount-field.ts'
import { DraftSelect, DraftText } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { readCurrency, readOptional, recipientChoices } from '../components/offer-fields.tsx'
import { defineForm } from '../shell/define-page.ts'

export const qrCodeForm = defineForm({
  path: '/qr-codes/new',
  operation: createQrCode,
  input(_visit, form) {
    const currency = readCurrency(form)
    const isOpen = form.get('mode') === 'open_amount'
    return {
      mode: isOpen ? ('open_amount' as const) : ('fixed_amount' as const),
      currency,
      ...(!isOpen && { amountMinor: readTypedAmount(form, 'amountMinor', currency) }),
      singleUse: form.get('singleUse') === 'yes',
      ...readOptional(form, 'description', 'reference', 'splitRecipientId'),
    }
  },
  async show(visit, draft) {
    const recipients = await recipientChoices(visit)
    return formPage({
      title: 'New QR code',
      back: { href: visit.href('/qr-codes'), text: 'QR codes' },
      draft,
      submit: 'Create QR code',
      children: (
        <>
          <DraftSelect
            draft={draft}
            name="mode"
            label="Amount"
            initial="fixed_amount"
            choices={{ fixed_amount: 'Fixed', open_amount: 'The payer decides' }}
          />
          <DraftText draft={draft} name="currency" label="Currency" initial="NGN" />
          <DraftText
            draft={draft}
            name="amountMinor"
            label="Amount"
            hint="Leave it empty if the payer decides."
            inputMode="decimal"
            isOptional
          />
          <DraftText
            draft={draft}
            name="description"
            label="Description (optional)"
            hint="Payers see it, for example “Table 4”."
            isOptional
          />
          <DraftSelect
            draft={draft}
            name="singleUse"
            label="How often it can be paid"
            initial="no"
            choices={{ no: 'Any number of times', yes: 'Once' }}
          />
          <DraftText draft={draft} name="reference" label="Your reference (optional)" isOptional />
          {Object.keys(recipients).length > 0 && (
            <DraftSelect
              draft={draft}
              name="splitRecipientId"
              label="Recipient of a share (optional)"
              choices={recipients}
            />
          )}
        </>
      ),
    })
  },
  done: (visit, { id }) => ({
    location: visit.href(`/qr-codes/${id}`),
    message: 'The QR code is ready. Print its sheet or download the image.',
  }),
})
