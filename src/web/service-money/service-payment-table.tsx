// Payments of the payment service, and the invoice that each of them settled.
import { assignServicePayment } from '../../books/service-money/assign-service-payment.ts'
import type { ServicePayment } from '../../books/service-money/service-payment.ts'
import { ActionButton } from '../components/app-form.tsx'
import { Moment } from '../components/moment.tsx'
import { Money } from '../components/money.tsx'
import { Table } from '../components/table.tsx'
import type { Visit } from '../shell/visit.ts'
import { assignPath } from './service-money-text.ts'

type TableProps = { visit: Visit; payments: readonly ServicePayment[] }

export function ServicePaymentTable({ visit, payments }: TableProps) {
  return (
    <Table
      caption="Payments of the payment service"
      rows={payments}
      keyOf={({ paymentId }) => paymentId}
      hrefOf={({ paymentId }) => visit.href(`/payments/${paymentId}`)}
      columns={[
        {
          label: 'Amount',
          cell: ({ grossMinor, currency }) => <Money minor={grossMinor} currency={currency} />,
        },
        { label: 'Paid', cell: ({ happenedAt }) => <Moment at={happenedAt} zone={visit.zone} /> },
        { label: 'For', cell: ({ offerText }) => offerText ?? '' },
        { label: 'Invoice', cell: (payment) => <PaidFor visit={visit} payment={payment} /> },
      ]}
    />
  )
}

type PurposeProps = { visit: Visit; payment: ServicePayment }

export function PaidFor({ visit, payment }: PurposeProps) {
  if (payment.state === 'waiting') return <>{payment.reason ?? 'Being posted'}</>
  if (payment.state === 'returned') return <span class="quiet">Refunded or reversed</span>
  if (payment.state === 'unassigned') return <Assign visit={visit} payment={payment} />
  return <Settled visit={visit} payment={payment} />
}

function Settled({ visit, payment }: PurposeProps) {
  const { invoices, grossMinor, currency, contactId, contactName } = payment
  const used = invoices.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
  return (
    <>
      {invoices.map(({ id, number }) => (
        <a key={id} class="d-block" href={visit.href(`/invoices/${id}`)}>
          <span class="text-nowrap">{number}</span>
        </a>
      ))}
      {used < grossMinor && (
        <span class="quiet d-block">
          <Money minor={grossMinor - used} currency={currency} />{' '}
          {invoices.length === 0 ? 'not used for an invoice now' : 'more than the invoice'}
        </span>
      )}
      {contactId && (
        <a class="quiet d-block" href={visit.href(`/contacts/${contactId}`)}>
          {contactName}
        </a>
      )}
    </>
  )
}

// One click where only one open invoice has the amount.
function Assign({ visit, payment: { paymentId, suggestion } }: PurposeProps) {
  if (!visit.may(assignServicePayment)) return <span class="quiet">Not assigned</span>
  const address = visit.href(assignPath(paymentId))
  return (
    <div class="actions">
      {suggestion && (
        <ActionButton
          action={address}
          token={visit.context.ids.uuid()}
          label={`Assign to ${suggestion.number}, ${suggestion.contactName}`}
          fields={{ documentId: suggestion.id }}
        />
      )}
      <a href={address}>{suggestion ? 'Another invoice' : 'Choose the invoice'}</a>
    </div>
  )
}
