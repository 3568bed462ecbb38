// What a payer buys: on the form with fields for quantities, and afterwards as a list.
import { currencyOf } from '../../kernel/money/currency.ts'
import type { PayerLanguage } from '../../payer-texts/payer-language.ts'
import {
  isFixedQuantity,
  type LinkItem,
  leftOf,
  lineAmount,
  type OrderLine,
  totalOf,
} from '../payment-links/payment-link-item.ts'
import { fieldOf, type Order } from './typed-order.ts'

type ChoiceProps = {
  readonly items: readonly LinkItem[]
  readonly order: Order
  readonly currency: string
  readonly language: PayerLanguage
}

// The script of the page reads the prices and writes the total.
export function OrderChoice({ items, order, currency, language }: ChoiceProps) {
  const { order: texts } = language.texts
  return (
    <fieldset
      class="order"
      data-order={currency}
      data-locale={language.locale}
      data-decimals={currencyOf(currency).decimals}
      data-display={language.currencyDisplay(currency)}
    >
      <legend>{texts.items}</legend>
      <ul>
        {items.map((item) => (
          <li key={item.id}>
            {isFixedQuantity(item) ? (
              <FixedItem item={item} currency={currency} language={language} />
            ) : (
              <ChosenItem item={item} order={order} currency={currency} language={language} />
            )}
          </li>
        ))}
      </ul>
      {order.error && <p class="error">{order.error}</p>}
      <p class="total" aria-live="polite">
        <span>{texts.total}</span>{' '}
        <strong data-total>{language.money(order.totalMinor, currency)}</strong>
      </p>
      <input type="hidden" name="total" value={String(order.totalMinor)} />
    </fieldset>
  )
}

type ItemProps = {
  readonly item: LinkItem
  readonly currency: string
  readonly language: PayerLanguage
}

function FixedItem({ item, currency, language }: ItemProps) {
  const { unitAmountMinor, quantityMin: quantity } = item
  return (
    <>
      <span class="item">
        {item.name}
        {quantity > 1 && (
          <small>
            {quantity} × {language.money(unitAmountMinor, currency)}
          </small>
        )}
      </span>
      <span class="sum" data-fixed={String(lineAmount({ unitAmountMinor, quantity }))}>
        {language.money(lineAmount({ unitAmountMinor, quantity }), currency)}
      </span>
    </>
  )
}

function ChosenItem({ item, order, currency, language }: ItemProps & { readonly order: Order }) {
  const { order: texts } = language.texts
  const name = fieldOf(item)
  const left = leftOf(item)
  const error = order.errors[item.id]
  const isScarce = left !== null && left < item.quantityMax
  return (
    <>
      <label class="item" for={name}>
        {item.name}
        <small id={`${name}-hint`}>
          {texts.each(language.money(item.unitAmountMinor, currency))}
          {isScarce && ` · ${left === 0 ? texts.soldOut : texts.left(left)}`}
        </small>
        {error && (
          <span class="error" id={`${name}-error`}>
            {error}
          </span>
        )}
      </label>
      <input
        id={name}
        name={name}
        type="number"
        inputmode="numeric"
        required
        min={item.quantityMin}
        max={item.quantityMax}
        value={order.typed[item.id] ?? String(item.quantityMin)}
        data-price={String(item.unitAmountMinor)}
        aria-describedby={`${name}-hint${error ? ` ${name}-error` : ''}`}
        {...(error && { 'aria-invalid': 'true' })}
      />
    </>
  )
}

type ListProps = {
  readonly lines: readonly OrderLine[]
  readonly currency: string
  readonly language: PayerLanguage
}

export function OrderList({ lines, currency, language }: ListProps) {
  const { order: texts } = language.texts
  if (lines.length === 0) return null
  return (
    <section class="invoice" aria-label={texts.items}>
      <table>
        <caption>{texts.items}</caption>
        <tbody>
          {lines.map((line) => (
            <tr key={line.itemId}>
              <td>
                {line.name}
                <small>
                  {line.quantity} × {language.money(line.unitAmountMinor, currency)}
                </small>
              </td>
              <td>{language.money(lineAmount(line), currency)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{texts.total}</th>
            <td>{language.money(totalOf(lines), currency)}</td>
          </tr>
        </tfoot>
      </table>
    </section>
  )
}
