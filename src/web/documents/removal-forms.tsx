// Undoing what settled a document.

import type { DocumentSide } from '../../books/documents/document-status.ts'
import { removeAllocation } from '../../books/payments/remove-allocation.ts'
import { removePayment } from '../../books/payments/remove-payment.ts'
import { formPage } from '../components/form-page.tsx'
import { formatMoney } from '../components/money.tsx'
import { type AppRoute, defineForm } from '../shell/define-page.ts'
import { BookingDay, documentHref, documentLabel, readDay, readStory } from './act-form.tsx'
import { sidePaths } from './document-place.ts'

const sides: readonly DocumentSide[] = ['sales', 'purchases']

export const removalForms: AppRoute[] = sides.flatMap((side) => [
  ...removePaymentForm(side),
  ...removeAllocationForm(side),
])

function removePaymentForm(side: DocumentSide): AppRoute[] {
  return defineForm({
    path: `${sidePaths[side]}/:id/payments/:payment/remove`,
    operation: removePayment,
    input: (visit, form) => ({ paymentId: visit.param('payment'), ...readDay(form) }),
    async show(visit, draft) {
      const story = await readStory(visit, side)
      const payment = story.payments.get(visit.param('payment'))
      const amount = payment ? formatMoney(payment.amountMinor, payment.currency) : 'the amount'
      return formPage({
        title: payment?.method === 'write_off' ? 'Remove write-off' : 'Remove payment',
        back: { href: documentHref(visit, side), text: documentLabel(story) },
        draft,
        submit: 'Remove',
        isDangerous: true,
        children: (
          <>
            <p>
              The entry over {amount} is reversed, and all documents that it settled are open again.
            </p>
            <BookingDay visit={visit} draft={draft} story={story} />
          </>
        ),
      })
    },
    done: (visit) => ({ location: documentHref(visit, side), message: 'Removed.' }),
  })
}

function removeAllocationForm(side: DocumentSide): AppRoute[] {
  return defineForm({
    path: `${sidePaths[side]}/:id/allocations/:allocation/remove`,
    operation: removeAllocation,
    input: (visit, form) => ({ allocationId: visit.param('allocation'), ...readDay(form) }),
    async show(visit, draft) {
      const story = await readStory(visit, side)
      return formPage({
        title: 'Undo the use of a credit or payment',
        back: { href: documentHref(visit, side), text: documentLabel(story) },
        draft,
        submit: 'Undo',
        isDangerous: true,
        children: (
          <>
            <p>
              The amount is open again on both sides. A payment stays as a credit of{' '}
              {story.contact.name}.
            </p>
            <BookingDay visit={visit} draft={draft} story={story} />
          </>
        ),
      })
    },
    done: (visit) => ({ location: documentHref(visit, side), message: 'Undone.' }),
  })
}
