// What a payer sees of the invoice, below the amount or the state.
import type { PayerLanguage } from '../../payer-texts/payer-language.ts'
import type { InvoiceOffer } from './invoice-offer.ts'

type InvoiceProps = { invoice: InvoiceOffer; language: PayerLanguage }

export function InvoiceStatus({ invoice: { status, dueDate }, language }: InvoiceProps) {
  const { invoice: texts } = language.texts
  const isDue = status !== 'paid' && status !== 'void'
  return (
    <p class={`status ${status}`}>
      <strong>{texts.status[status]}</strong>
      {isDue && `, ${texts.dueOn(language.day(dueDate))}`}
    </p>
  )
}

export function InvoiceDetails({ invoice, language }: InvoiceProps) {
  const { unconfirmedMinor, notes, paymentDetails, status, currency } = invoice
  const { invoice: texts } = language.texts
  const isDue = status !== 'paid' && status !== 'void'
  return (
    <section class="invoice" aria-label={texts.title(invoice.number)}>
      {unconfirmedMinor > 0n && (
        <p class="note">
          {(isDue ? texts.unconfirmed : texts.unconfirmedToo)(
            language.money(unconfirmedMinor, currency),
          )}
        </p>
      )}
      <Facts invoice={invoice} language={language} />
      <Lines invoice={invoice} language={language} />
      {notes && <p class="text">{notes}</p>}
      {paymentDetails && isDue && (
        <>
          <h2>{texts.otherWays}</h2>
          <p class="text">{paymentDetails}</p>
        </>
      )}
      <p class="hint">
        <a href={invoice.pdfPath}>{texts.download}</a>
      </p>
    </section>
  )
}

function Facts({ invoice, language }: InvoiceProps) {
  const { invoice: texts } = language.texts
  const rows: [string, string][] = [
    [texts.for, invoice.contactName],
    [texts.date, language.day(invoice.date)],
    [texts.dueDate, language.day(invoice.dueDate)],
    ...(invoice.reference ? [[texts.reference, invoice.reference] as [string, string]] : []),
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

function Lines({ invoice, language }: InvoiceProps) {
  const { lines, taxes, subtotal, totalMinor, dueMinor, currency } = invoice
  const { invoice: texts } = language.texts
  const { number, money } = language
  const isSettled = dueMinor < totalMinor
  return (
    <table>
      <caption class="quiet">{texts.items}</caption>
      <thead>
        <tr>
          <th scope="col">{texts.description}</th>
          <th scope="col">{texts.net}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line, index) => (
          <tr key={index}>
            <td>
              {line.description}
              <small>
                {number(line.quantity)} × {number(line.unitPrice)}
              </small>
            </td>
            <td>{number(line.net)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        {taxes.length > 0 && <Sum name={texts.subtotal} amount={number(subtotal)} />}
        {taxes.map(({ name, amount }, index) => (
          <Sum key={index} name={name} amount={number(amount)} />
        ))}
        <Sum name={texts.total} amount={money(totalMinor, currency)} />
        {isSettled && <Sum name={texts.settled} amount={money(totalMinor - dueMinor, currency)} />}
        {isSettled && <Sum name={texts.due} amount={money(dueMinor, currency)} />}
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
