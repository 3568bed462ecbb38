// One payment with its whole story: facts, refunds, what was booked, and the timeline.
import { Card } from '../../kernel/web/components.tsx'
import { cancelPayment } from '../../merchant/payments/cancel-payment.ts'
import { getPaymentStory, type PaymentStory } from '../../merchant/payments/get-payment-story.ts'
import { isCollected, type Payment } from '../../merchant/payments/payment.ts'
import { refundPayment } from '../../merchant/refunds/refund-payment.ts'
import { Facts } from '../components/facts.tsx'
import { ForDevelopers } from '../components/for-developers.tsx'
import { Moment } from '../components/moment.tsx'
import { Money } from '../components/money.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Status } from '../components/status.tsx'
import { Table } from '../components/table.tsx'
import { Timeline } from '../components/timeline.tsx'
import { CustomerLink } from '../customers/customer-link.tsx'
import { definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { paymentHappenings } from './payment-happenings.tsx'

export const paymentPages = definePage({
  path: '/payments/:id',
  operation: getPaymentStory,
  async show(visit) {
    const story = await visit.run(getPaymentStory, { id: visit.param('id') })
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
            actions={<Actions visit={visit} payment={payment} />}
          />
          <div class="split">
            <div class="stack">
              <Details visit={visit} payment={payment} />
              <Refunds visit={visit} story={story} />
            </div>
            <Card title="Timeline">
              <Timeline happenings={paymentHappenings(visit, story)} zone={visit.zone} />
            </Card>
          </div>
          <div class="stack mt-4">
            <Booked visit={visit} story={story} />
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

export function remainingMinor({ amountMinor, refundedMinor }: Payment): bigint {
  return amountMinor - refundedMinor
}

// What is not possible now is shown with the reason.
function Actions({ visit, payment }: { visit: Visit; payment: Payment }) {
  const why = whyNoRefund(payment)
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

function whyNoRefund(payment: Payment): string | undefined {
  if (!isCollected(payment)) return 'Nothing was collected.'
  return remainingMinor(payment) === 0n ? 'Everything was refunded.' : undefined
}

function Details({ visit, payment }: { visit: Visit; payment: Payment }) {
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
          ['Amount', money(payment.amountMinor)],
          feeMinor !== null && ['Fee', money(feeMinor)],
          splitMinor !== null && splitMinor > 0n && ['Share of the recipient', money(splitMinor)],
          netMinor !== null && ['Net', money(netMinor)],
          payment.refundedMinor > 0n && ['Refunded', money(payment.refundedMinor)],
          payment.failureReason !== null && ['Reason', payment.failureReason],
          ['Started', <Moment at={payment.createdAt} zone={visit.zone} />],
          payment.succeededAt && ['Paid', <Moment at={payment.succeededAt} zone={visit.zone} />],
          payment.settledAt && ['Settled', <Moment at={payment.settledAt} zone={visit.zone} />],
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

const causes: Readonly<Record<PaymentStory['refunds'][number]['cause'], string>> = {
  requested: 'Requested',
  late_success: 'Paid after the payment had ended',
  overpayment: 'Paid too much',
  repeated_charge: 'Charged twice',
}

function Booked({ visit, story }: { visit: Visit; story: PaymentStory }) {
  if (story.lines.length === 0) return null
  return (
    <section>
      <h2>Ledger entries</h2>
      <Table
        caption="Ledger entries"
        rows={story.lines}
        keyOf={({ entryId, position }) => `${entryId}-${position}`}
        columns={[
          {
            label: 'Entry',
            cell: ({ kind, createdAt }) => (
              <span>
                {kind}
                <br />
                <span class="quiet">
                  <Moment at={createdAt} zone={visit.zone} />
                </span>
              </span>
            ),
          },
          { label: 'Account', cell: ({ account }) => account },
          { label: 'Debit', isNumber: true, cell: (line) => amountIf(line, line.amountMinor > 0n) },
          {
            label: 'Credit',
            isNumber: true,
            cell: (line) => amountIf(line, line.amountMinor < 0n),
          },
        ]}
      />
    </section>
  )
}

type Line = PaymentStory['lines'][number]

function amountIf({ amountMinor, currency }: Line, isShown: boolean) {
  const minor = amountMinor < 0n ? -amountMinor : amountMinor
  return isShown && <Money minor={minor} currency={currency} />
}
