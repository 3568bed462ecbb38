// The receipt of a payment on the screen and on paper.
import type { PayerLanguage } from '../../payer-texts/payer-language.ts'
import { OrderList } from '../checkout/order-lines.tsx'
import { Amount } from '../checkout/pay-step.tsx'
import type { Receipt } from './receipt.ts'
import { receiptFacts, receiptStatus, refundRows } from './receipt-facts.ts'

type ReceiptProps = {
  readonly receipt: Receipt
  readonly timeZone: string
  readonly language: PayerLanguage
  readonly pdfPath: string
}

export function ReceiptView({ receipt, timeZone, language, pdfPath }: ReceiptProps) {
  const { payment, offer, lines } = receipt
  const { amountMinor, currency, status } = payment
  const { receiptPage: texts } = language.texts
  return (
    <>
      <p class="payee">
        {texts.title} <strong>{offer.merchantName}</strong>
      </p>
      <h1>{receiptStatus(receipt, language)}</h1>
      <Amount text={language.money(amountMinor, currency)} />
      <OrderList lines={lines} currency={currency} language={language} />
      {status !== 'succeeded' && (
        <Refunds rows={refundRows(receipt, { timeZone, language })} caption={texts.refunds} />
      )}
      <dl>
        {receiptFacts(receipt, { timeZone, language }).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <a class="button" href={pdfPath}>
        {texts.download}
      </a>
      <button class="button quiet" type="button" data-print hidden>
        {texts.print}
      </button>
      <p class="hint">{texts.questions(offer.merchantName)}</p>
    </>
  )
}

type RefundProps = { readonly rows: ReturnType<typeof refundRows>; readonly caption: string }

function Refunds({ rows, caption }: RefundProps) {
  const left = rows.at(-1)
  if (!left) return null
  return (
    <section class="invoice" aria-label={caption}>
      <table>
        <caption>{caption}</caption>
        <tbody>
          {rows.slice(0, -1).map(([day, amount], index) => (
            <tr key={index}>
              <td>{day}</td>
              <td>{amount}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{left[0]}</th>
            <td>{left[1]}</td>
          </tr>
        </tfoot>
      </table>
    </section>
  )
}
