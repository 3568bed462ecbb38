import type { Payment } from '../../merchant/payments/payment.ts'
import { Moment } from '../components/moment.tsx'
import { Money } from '../components/money.tsx'
import { Status } from '../components/status.tsx'
import { type Column, Table } from '../components/table.tsx'
import { CustomerLink } from '../customers/customer-link.tsx'
import type { Visit } from '../shell/visit.ts'

type TableProps = {
  visit: Visit
  payments: readonly Payment[]
  // The page says who pays.
  isOfOnePayer?: boolean
}

export function PaymentTable({ visit, payments, isOfOnePayer = false }: TableProps) {
  const columns: Column<Payment>[] = [
    {
      label: 'Amount',
      cell: ({ amountMinor, currency }) => <Money minor={amountMinor} currency={currency} />,
    },
    { label: 'Status', cell: ({ status }) => <Status of={status} /> },
    {
      label: 'Payer',
      isShown: !isOfOnePayer,
      cell: (payment) => (
        <CustomerLink visit={visit} email={payment.payerEmail} name={payment.payerName} />
      ),
    },
    { label: 'Started', cell: ({ createdAt }) => <Moment at={createdAt} zone={visit.zone} /> },
    {
      label: 'Net',
      isNumber: true,
      cell: ({ netMinor, currency }) =>
        netMinor === null ? '–' : <Money minor={netMinor} currency={currency} />,
    },
  ]
  return (
    <Table
      caption="Payments"
      columns={columns}
      rows={payments}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => visit.href(`/payments/${id}`)}
    />
  )
}
