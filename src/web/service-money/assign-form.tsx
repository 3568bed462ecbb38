// Choosing the invoice of a payment: one click on one of the open invoices.
import { assignServicePayment } from '../../books/service-money/assign-service-payment.ts'
import { listInvoicesToAssign } from '../../books/service-money/list-invoices-to-assign.ts'
import type { OpenInvoice } from '../../books/service-money/service-payment.ts'
import { Alert, Badge } from '../../kernel/web/components.tsx'
import { ActionButton } from '../components/app-form.tsx'
import { Day } from '../components/day.tsx'
import { formatMoney, Money } from '../components/money.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { SearchLine } from '../components/search-line.tsx'
import { EmptyState, Table } from '../components/table.tsx'
import { type Draft, defineForm } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { serviceMoneyPath } from './service-money-text.ts'

const invoicesMax = 50

export const assignForm = defineForm({
  path: `${serviceMoneyPath}/:payment/assign`,
  operation: assignServicePayment,
  input: (visit, form) => ({
    paymentId: visit.param('payment'),
    documentId: form.get('documentId') ?? '',
  }),
  async show(visit, draft) {
    const search = visit.query.get('q')?.trim() || undefined
    const wanted = { paymentId: visit.param('payment'), search, limit: invoicesMax }
    const { payment, invoices } = await visit.run(listInvoicesToAssign, wanted)
    const amount = formatMoney(payment.grossMinor, payment.currency)
    const problem = [draft.refusal ?? [], ...Object.values(draft.problems)].flat().join(' ')
    return {
      title: 'Assign a payment',
      content: (
        <>
          <PageHeader
            back={{
              href: visit.href(serviceMoneyPath, { view: 'unassigned' }),
              text: 'Service money',
            }}
            title={`Assign ${amount}`}
            lead={payment.offerText ?? 'Choose the invoice that was paid.'}
          />
          {problem !== '' && <Alert tone="bad">{problem}</Alert>}
          <SearchLine
            label="Search open invoices"
            hint="Number, reference or customer"
            value={search}
            kept={{}}
          />
          {invoices.length > 0 ? (
            <InvoiceTable {...{ visit, draft, invoices }} grossMinor={payment.grossMinor} />
          ) : (
            <EmptyState title={`No open invoice in ${payment.currency}`}>
              Only issued invoices that are not paid yet can be chosen.
            </EmptyState>
          )}
        </>
      ),
    }
  },
  done: (visit, { reference }) => ({
    location: visit.href(serviceMoneyPath, { view: 'unassigned' }),
    message: `The payment is assigned to ${reference ?? 'the invoice'}.`,
  }),
})

type TableProps = {
  visit: Visit
  draft: Draft
  invoices: readonly OpenInvoice[]
  grossMinor: bigint
}

function InvoiceTable({ visit, draft, invoices, grossMinor }: TableProps) {
  return (
    <Table
      caption="Open invoices"
      rows={invoices}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => visit.href(`/invoices/${id}`)}
      columns={[
        { label: 'Invoice', cell: ({ number }) => number },
        { label: 'Customer', cell: ({ contactName }) => contactName },
        { label: 'Due', cell: ({ dueDate }) => <Day of={dueDate} /> },
        {
          label: 'Open',
          isNumber: true,
          cell: ({ openMinor, currency }) => (
            <>
              <Money minor={openMinor} currency={currency} />{' '}
              {openMinor === grossMinor && <Badge tone="good">Same amount</Badge>}
            </>
          ),
        },
        {
          label: 'Assign',
          cell: ({ id, number }) => (
            <ActionButton
              action={visit.href(visit.path)}
              token={draft.token}
              label={`Assign to ${number}`}
              fields={{ documentId: id }}
            />
          ),
        },
      ]}
    />
  )
}
