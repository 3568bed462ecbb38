// Refunds a payment, wholly or in part. The form says what the refund does before it asks.
import { getPayment } from '../../merchant/payments/get-payment.ts'
import { getPaymentStory } from '../../merchant/payments/get-payment-story.ts'
import { refundPayment } from '../../merchant/refunds/refund-payment.ts'
import { initialAmount, readTypedAmount } from '../components/amount-field.ts'
import { DraftText } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { formatMoney, Money } from '../components/money.tsx'
import { defineForm } from '../shell/define-page.ts'
import { remainingMinor } from './payment-page.tsx'

export const refundForm = defineForm({
  path: '/payments/:id/refund',
  operation: refundPayment,
  async input(visit, form) {
    const paymentId = visit.param('id')
    const payment = await visit.run(getPayment, { id: paymentId })
    const amountMinor = readTypedAmount(form, 'amountMinor', payment.currency)
    return { paymentId, amountMinor }
  },
  async show(visit, draft) {
    const story = await visit.run(getPaymentStory, { id: visit.param('id') })
    const { payment } = story
    const { currency } = payment
    const remaining = remainingMinor(story)
    return formPage({
      title: 'Refund',
      back: { href: visit.href(`/payments/${payment.id}`), text: 'Payment' },
      draft,
      submit: 'Refund',
      isDangerous: true,
      children: (
        <>
          <p>
            The money goes back to {payment.payerName ?? payment.payerEmail} and is taken from your
            available balance. <Money minor={remaining} currency={currency} /> of this payment can
            still be refunded. The fee is not returned.
          </p>
          <DraftText
            draft={draft}
            name="amountMinor"
            label={`Amount in ${currency}`}
            initial={initialAmount(remaining, currency)}
            inputMode="decimal"
          />
        </>
      ),
    })
  },
  done(visit, result) {
    if ('approvalId' in result) {
      return {
        location: visit.href(`/approvals/${result.approvalId}`),
        message: 'The refund waits for a second person. Nothing was refunded yet.',
      }
    }
    const { refund, payment } = result
    return {
      location: visit.href(`/payments/${payment.id}`),
      message: `${formatMoney(refund.amountMinor, refund.currency)} was refunded.`,
    }
  },
})
