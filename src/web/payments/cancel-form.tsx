import { cancelPayment } from '../../merchant/payments/cancel-payment.ts'
import { getPayment } from '../../merchant/payments/get-payment.ts'
import { formPage } from '../components/form-page.tsx'
import { Money } from '../components/money.tsx'
import { defineForm } from '../shell/define-page.ts'

export const cancelForm = defineForm({
  path: '/payments/:id/cancel',
  operation: cancelPayment,
  input: (visit) => ({ id: visit.param('id') }),
  async show(visit, draft) {
    const payment = await visit.run(getPayment, { id: visit.param('id') })
    return formPage({
      title: 'Cancel payment',
      back: { href: visit.href(`/payments/${payment.id}`), text: 'Payment' },
      draft,
      submit: 'Cancel payment',
      isDangerous: true,
      children: (
        <p>
          The payment of <Money minor={payment.amountMinor} currency={payment.currency} /> ends. If
          the payer pays it anyway, the money goes back to them.
        </p>
      ),
    })
  },
  done: (visit, payment) => ({
    location: visit.href(`/payments/${payment.id}`),
    message: 'The payment is cancelled.',
  }),
})
