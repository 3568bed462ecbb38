import { linkUrl } from '../../merchant/checkout/page-addresses.ts'
import { createPaymentLink } from '../../merchant/payment-links/create-payment-link.ts'
import { readTypedAmount } from '../components/amount-field.ts'
import { DraftSelect, DraftText } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { readCurrency, readOptional, recipientChoices } from '../components/offer-fields.tsx'
import { defineForm } from '../shell/define-page.ts'
import { ItemRows, readItems, withItemProblems } from './item-rows.tsx'
import { PayerFieldChoices, readPayerFields } from './payer-field-choices.tsx'

const kinds = {
  fixed: 'Every payer pays this amount',
  preset: 'Suggest this amount; the payer may change it',
  open: 'The payer decides how much',
  items: 'For the items below, with quantities',
} as const

export const paymentLinkForm = defineForm({
  path: '/payment-links/new',
  operation: createPaymentLink,
  input(_visit, form) {
    const currency = readCurrency(form)
    const kind = form.get('kind')
    const hasNoAmount = kind === 'open' || kind === 'items'
    const amount = hasNoAmount ? undefined : readTypedAmount(form, 'amountMinor', currency)
    return {
      title: (form.get('title') ?? '').trim(),
      currency,
      ...(kind === 'preset' ? { presetAmountMinor: amount } : { amountMinor: amount }),
      ...(kind === 'items' && { items: readItems(form, currency) }),
      payerFields: readPayerFields(form),
      ...readOptional(form, 'description', 'reference', 'returnUrl', 'splitRecipientId'),
    }
  },
  async show(visit, given) {
    const draft = withItemProblems(given)
    const recipients = await recipientChoices(visit)
    return formPage({
      title: 'New payment link',
      back: { href: visit.href('/payment-links'), text: 'Payment links' },
      draft,
      submit: 'Create link',
      isWide: true,
      children: (
        <>
          <DraftText
            draft={draft}
            name="title"
            label="What is paid for"
            hint="Payers see it, for example “Order 1001” or “Workshop”."
          />
          <DraftSelect draft={draft} name="kind" label="Amount" initial="fixed" choices={kinds} />
          <DraftText draft={draft} name="currency" label="Currency" initial="NGN" />
          <DraftText
            draft={draft}
            name="amountMinor"
            label="Amount"
            hint="Leave it empty if the payer decides, or if you list items."
            inputMode="decimal"
            isOptional
          />
          <ItemRows draft={draft} />
          <DraftText draft={draft} name="description" label="Description (optional)" isOptional />
          <DraftText draft={draft} name="reference" label="Your reference (optional)" isOptional />
          <DraftText
            draft={draft}
            name="returnUrl"
            label="Return address (optional)"
            hint="Where payers go after they have paid. Without it they see our confirmation."
            isOptional
          />
          <PayerFieldChoices draft={draft} />
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
    location: visit.href(`/payment-links/${id}`),
    message: `The link is ready: ${linkUrl(visit.context.publicUrl, visit.actor, id)}`,
  }),
})
