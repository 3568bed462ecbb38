// The list of payments, filtered by status.
import { listPayments } from '../../merchant/payments/list-payments.ts'
import { type PaymentStatus, paymentStatuses } from '../../merchant/payments/payment.ts'
import { FilterChips } from '../components/filter-chips.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { EmptyState, Pager } from '../components/table.tsx'
import { definePage } from '../shell/define-page.ts'
import { PaymentTable } from './payment-table.tsx'

const path = '/payments'
const pageSize = 25

const statusLabels: Readonly<Record<PaymentStatus, string>> = {
  pending: 'Pending',
  processing: 'Processing',
  succeeded: 'Succeeded',
  partially_refunded: 'Partly refunded',
  refunded: 'Refunded',
  failed: 'Failed',
  cancelled: 'Cancelled',
}

export const paymentsPages = definePage({
  path,
  operation: listPayments,
  async show(visit) {
    const status = paymentStatuses.find((one) => one === visit.query.get('status'))
    const after = visit.query.get('after') ?? undefined
    const { items: payments, nextCursor } = await visit.run(listPayments, {
      limit: pageSize,
      status,
      startingAfter: after,
    })
    return {
      title: 'Payments',
      content: (
        <>
          <PageHeader title="Payments" />
          <FilterChips
            label="Status"
            chosen={status}
            choices={statusLabels}
            hrefOf={(choice) => visit.href(path, { status: choice })}
          />
          {payments.length > 0 ? (
            <PaymentTable visit={visit} payments={payments} />
          ) : (
            <EmptyState title="No payments here">
              {status
                ? `There are no payments with the status “${statusLabels[status]}”.`
                : 'Payments appear here as soon as a customer opens one of your links or QR codes.'}
            </EmptyState>
          )}
          <Pager
            firstHref={after ? visit.href(path, { status }) : undefined}
            nextHref={nextCursor ? visit.href(path, { status, after: nextCursor }) : undefined}
          />
        </>
      ),
    }
  },
})
