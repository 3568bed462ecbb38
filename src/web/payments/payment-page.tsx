// One payment with its whole story: facts, refunds, what was booked, and the timeline.
import { listServicePayments } from '../../books/service-money/list-service-payments.ts'
import type { ServicePayment } from '../../books/service-money/service-payment.ts'
import { Card } from '../../kernel/web/components.tsx'
import { phaseOf, takenMinor } from '../../merchant/chargebacks/chargeback.ts'
import { cancelPayment } from '../../merchant/payments/cancel-payment.ts'
import { getPaymentStory, type PaymentStory } from '../../merchant/payments/get-payment-story.ts'
import { isCollected, type Payment } from '../../merchant/payments/payment.ts'
import { receiptPath } from '../../merchant/receipts/receipt.ts'
import { refundPayment } from '../../merchant/refunds/refund-payment.ts'
import { Facts } from '../components/facts.tsx'
import { ForDevelopers } from '../components/for-developers.tsx'
import { LedgerLines } from '../components/ledger-lines.tsx'
import { Moment } from '../components/moment.tsx'
import { Money } from '../components/money.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Status } from '../components/status.tsx'
import { Table } from '../components/table.tsx'
import { Timeline } from '../components/timeline.tsx'
import { CustomerLink } from '../customers/customer-link.tsx'
import { Due } from '../disputes/dispute-text.tsx'
import { PaidFor } from '../service-money/service-payment-table.tsx'
import { definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { paymentHappenings } from './payment-happenings.tsx'
import { answersOf, OrderedItems } from './payment-order.tsx'

export const paymentPages = definePage({
  path: '/payments/:id',
  operation: getPaymentStory,
  async show(visit) {
    const id = visit.param('id')
    const [story, inBooks] = await Promise.all([
      visit.run(getPaymentStory, { id }),
      visit.run(listServicePayments, { paymentId: id, limit: 1 }),
    ])
    const { payment } = story
    return {
      title: `Payment of ${payment.payerEmail}`,
      content: (
        <>
          <PageHeader
            back={{ href: visit.href('/payments'), text: 'Payments' }}
            title={
              <>
                <Money minor={payment.amountMinor} currency={payment.currency} />{' '}
                <Status of={payment.status} />
              </>
            }
            lead={payment.payerName ?? payment.payerEmail}
            actions={<Actions visit={visit} story={story} />}
          />
          <div class="split">
            <div class="stack">
              <Details visit={visit} payment={payment} inBooks={inBooks.payments[0]} />
              <OrderedItems story={story} />
              <Refunds visit={visit} story={story} />
              <Disputes visit={visit} story={story} />
            </div>
            <Card title="Timeline">
              <Timeline happenings={paymentHappenings(visit, story)} zone={visit.zone} />
            </Card>
          </div>
          <div class="stack mt-4">
            <LedgerLines lines={story.lines} zone={visit.zone} />
            <ForDevelopers
              visit={visit}
              path={`/merchant/api/v1/payments/${payment.id}`}
              record={story.record}
            />
          </div>
        </>
      ),
    }
  },
})

// What can still be refunded: the payer already has what was refunded or charged back.
export function remainingMinor({ payment, chargebacks }: PaymentStory): bigint {
  const { amountMinor, refundedMinor, currency } = payment
  const leftMinor = amountMinor - refundedMinor - takenMinor(chargebacks, currency)
  return leftMinor > 0n ? leftMinor : 0n
}

// What is not possible now is shown with the reason.
function Actions({ visit, story }: { visit: Visit; story: PaymentStory }) {
  const { payment } = story
  const why = whyNoRefund(story)
  return (
    <>
      {visit.may(refundPayment) &&
        (why === undefined ? (
          <a class="btn" href={visit.href(`/payments/${payment.id}/refund`)}>
            Refund
          </a>
        ) : (
          <span class="btn disabled" title={why} aria-disabled="true">
            Refund <span class="visually-hidden">is not possible: {why}</span>
          </span>
        ))}
      {visit.may(cancelPayment) && payment.status === 'pending' && (
        <a class="btn" href={visit.href(`/payments/${payment.id}/cancel`)}>
          Cancel
        </a>
      )}
    </>
  )
}

function whyNoRefund(story: PaymentStory): string | undefined {
  const { payment, chargebacks } = story
  if (!isCollected(payment)) return 'Nothing was collected.'
  if (remainingMinor(story) > 0n) return undefined
  return takenMinor(chargebacks, payment.currency) > 0n
    ? 'The payment is disputed, and the provider took the money.'
    : 'Everything was refunded.'
}

type DetailsProps = { visit: Visit; payment: Payment; inBooks: ServicePayment | undefined }

function Details({ visit, payment, inBooks }: DetailsProps) {
  const { currency, feeMinor, netMinor, splitMinor } = payment
  const money = (minor: bigint) => <Money minor={minor} currency={currency} />
  return (
    <Card title="Details">
      <Facts
        facts={[
          [
            'Payer',
            <>
              <CustomerLink visit={visit} email={payment.payerEmail} name={payment.payerName} />
              {payment.payerName && ` (${payment.payerEmail})`}
            </>,
          ],
          ...answersOf(payment),
          ['For', <Purpose visit={visit} payment={payment} />],
          ['Amount', money(payment.amountMinor)],
          feeMinor !== null && ['Fee', money(feeMinor)],
          splitMinor !== null && splitMinor > 0n && ['Share of the recipient', money(splitMinor)],
          netMinor !== null && ['Net', money(netMinor)],
          payment.refundedMinor > 0n && ['Refunded', money(payment.refundedMinor)],
          payment.failureReason !== null && ['Reason', payment.failureReason],
          inBooks && ['In the books', <PaidFor visit={visit} payment={inBooks} />],
          ['Started', <Moment at={payment.createdAt} zone={visit.zone} />],
          payment.succeededAt && ['Paid', <Moment at={payment.succeededAt} zone={visit.zone} />],
          payment.settledAt && ['Settled', <Moment at={payment.settledAt} zone={visit.zone} />],
          isCollected(payment) &&
            payment.receiptKey !== null && [
              'Receipt',
              <a href={receiptPath(payment)} target="_blank" rel="noreferrer">
                What the payer gets
              </a>,
            ],
          ['Reference at the provider', <code>{payment.providerReference}</code>],
          payment.providerTransactionId !== null && [
            'Transaction of the provider',
            <code>{payment.providerTransactionId}</code>,
          ],
        ]}
      />
    </Card>
  )
}

// What was paid.
function Purpose({ visit, payment }: { visit: Visit; payment: Payment }) {
  const { paymentLinkId, qrCodeId, subscriptionId, invoiceId, cardSubscriptionId } = payment
  if (paymentLinkId) return <a href={visit.href(`/payment-links/${paymentLinkId}`)}>Payment link</a>
  if (qrCodeId) return <a href={visit.href(`/qr-codes/${qrCodeId}`)}>QR code</a>
  if (invoiceId) return <a href={visit.href(`/invoices/${invoiceId}`)}>Invoice</a>
  if (cardSubscriptionId) {
    return <a href={visit.href(`/subscriptions/${cardSubscriptionId}`)}>Check of a new card</a>
  }
  return <a href={visit.href(`/subscriptions/${subscriptionId}`)}>Subscription</a>
}

function Refunds({ visit, story }: { visit: Visit; story: PaymentStory }) {
  if (story.refunds.length === 0) return null
  return (
    <section>
      <h2>Refunds</h2>
      <Table
        caption="Refunds"
        rows={story.refunds}
        keyOf={({ id }) => id}
        columns={[
          {
            label: 'Amount',
            cell: ({ amountMinor, currency }) => <Money minor={amountMinor} currency={currency} />,
          },
          { label: 'Status', cell: ({ status }) => <Status of={status} /> },
          { label: 'Cause', cell: ({ cause }) => causes[cause] },
          { label: 'Made', cell: ({ createdAt }) => <Moment at={createdAt} zone={visit.zone} /> },
        ]}
      />
    </section>
  )
}

function Disputes({ visit, story }: { visit: Visit; story: PaymentStory }) {
  if (story.chargebacks.length === 0) return null
  const now = visit.context.clock.now()
  return (
    <section>
      <h2>Disputes</h2>
      <Table
        caption="Disputes"
        rows={story.chargebacks}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => visit.href(`/disputes/${id}`)}
        columns={[
          {
            label: 'Amount',
            cell: ({ amountMinor, currency }) => <Money minor={amountMinor} currency={currency} />,
          },
          { label: 'State', cell: (chargeback) => <Status of={phaseOf(chargeback, now)} /> },
          {
            label: 'Answer until',
            cell: (dispute) => (
              <Due {...{ dispute, now }} phase={phaseOf(dispute, now)} zone={visit.zone} />
            ),
          },
        ]}
      />
    </section>
  )
}

const causes: Readonly<Record<PaymentStory['refunds'][number]['cause'], string>> = {
  requested: 'Requested',
  card_check: 'Check of a new card',
  late_success: 'Paid after the payment had ended',
  overpayment: 'Paid too much',
  repeated_charge: 'Charged twice',
}
