// Changes the price or the stock of an item of a payment link.
import { invalidField, notFound } from '../../kernel/basics/fault.ts'
import { currencyOf } from '../../kernel/money/currency.ts'
import { fromMinor } from '../../kernel/money/minor-units.ts'
import { getPaymentLink } from '../../merchant/payment-links/get-payment-link.ts'
import { updatePaymentLinkItem } from '../../merchant/payment-links/update-payment-link-item.ts'
import { initialAmount, readTypedAmount } from '../components/amount-field.ts'
import { DraftText } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { defineForm } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'

export const linkItemForm = defineForm({
  path: '/payment-links/:id/items/:item',
  operation: updatePaymentLinkItem,
  async input(visit, form) {
    const { link, item } = await itemOf(visit)
    const amountMinor = readTypedAmount(form, 'amount', link.currency)
    return {
      id: link.id,
      itemId: item.id,
      amount: fromMinor(amountMinor, currencyOf(link.currency)),
      stock: readCount(form, 'stock') ?? null,
    }
  },
  async show(visit, draft) {
    const { link, item } = await itemOf(visit)
    const taken = item.sold + item.reserved
    return formPage({
      title: item.name,
      back: { href: visit.href(`/payment-links/${link.id}`), text: link.title },
      draft,
      submit: 'Save item',
      children: (
        <>
          <DraftText
            draft={draft}
            name="amount"
            label={`Price of one in ${link.currency}`}
            hint="Payments that have begun keep their price."
            inputMode="decimal"
            initial={initialAmount(item.unitAmountMinor, link.currency)}
          />
          <DraftText
            draft={draft}
            name="stock"
            label="Stock (optional)"
            hint={`How many there are in all, with the ${taken} sold or being paid for. Leave it empty for no limit.`}
            inputMode="decimal"
            initial={item.stock === null ? '' : String(item.stock)}
            isOptional
          />
        </>
      ),
    })
  },
  done: (visit, link) => ({
    location: visit.href(`/payment-links/${link.id}`),
    message: 'The item is changed.',
  }),
})

async function itemOf(visit: Visit) {
  const link = await visit.run(getPaymentLink, { id: visit.param('id') })
  const item = link.items.find(({ id }) => id === visit.param('item'))
  if (!item) throw notFound('item')
  return { link, item }
}

// Throws a Fault that names the field; undefined if it is empty.
export function readCount(form: URLSearchParams, field: string): number | undefined {
  const text = (form.get(field) ?? '').trim()
  if (text === '') return undefined
  if (!/^\d{1,7}$/.test(text)) throw invalidField(field, 'Enter a whole number.')
  return Number.parseInt(text, 10)
}
