// What a payer sees of the invoice, below the amount or the state.
import type { ComponentChildren } from 'preact'
import type { InvoiceOffer } from './invoice-offer.ts'

const statusNames: Readonly<Record<InvoiceOffer['status'], string>> = {
  open: 'Open',
  partly_paid: 'Partly paid',
  overdue: 'Overdue',
  paid: 'Paid',
  void: 'Void',
}

export function InvoiceStatus({ invoice: { status, dueDate } }: { invoice: InvoiceOffer }) {
  const isDue = status !== 'paid' && status !== 'void'
  return (
    <p class={`status ${status}`}>
      <strong>{statusNames[status]}</strong>
      {isDue && `, due ${dueDate}`}
    </p>
  )
}

export function InvoiceDetails({ invoice }: { invoice: InvoiceOffer }) {
  const { unconfirmed, notes, paymentDetails, status } = invoice
  return (
    <section class="invoice" aria-label={`Invoice ${invoice.number}`}>
      {unconfirmed && (
        <p class="note">A payment of {unconfirmed} is being confirmed. Don’t pay it twice.</p>
      )}
      <Facts invoice={invoice} />
      <Lines invoice={invoice} />
      {notes && <p class="text">{notes}</p>}
      {paymentDetails && status !== 'paid' && status !== 'void' && (
        <>
          <h2>Other ways to pay</h2>
          <p class="text">{paymentDetails}</p>
        </>
      )}
      <p class="hint">
        <a href={invoice.pdfPath}>Download as PDF</a>
      </p>
    </section>
  )
}

function Facts({ invoice }: { invoice: InvoiceOffer }) {
  const rows: [string, ComponentChildren][] = [
    ['For', invoice.contactName],
    ['Date', invoice.date],
    ['Due', invoice.dueDate],
    ...(invoice.reference ? [['Reference', invoice.reference] as [string, string]] : []),
  ]
  return (
    <dl>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Lines({ invoice }: { invoice: InvoiceOffer }) {
  const { lines, taxes, subtotal, total, settled, due } = invoice
  return (
    <table>
      <caption class="quiet">What it is for</caption>
      <thead>
        <tr>
          <th scope="col">Description</th>
          <th scope="col">Net</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line, index) => (
          <tr key={index}>
            <td>
              {line.description}
              <small>
                {line.quantity} × {line.unitPrice}
              </small>
            </td>
            <td>{line.net}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        {taxes.length > 0 && <Sum name="Subtotal" amount={subtotal} />}
        {taxes.map(({ name, amount }, index) => (
          <Sum key={index} name={name} amount={amount} />
        ))}
        <Sum name="Total" amount={total} />
        {settled && <Sum name="Paid or credited" amount={settled} />}
        {settled && <Sum name="Due" amount={due} />}
      </tfoot>
    </table>
  )
}

function Sum({ name, amount }: { name: string; amount: string }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{amount}</td>
    </tr>
  )
}
