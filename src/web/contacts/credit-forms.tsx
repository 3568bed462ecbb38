// Money that a contact paid, or was paid, beyond its documents: where it is, and paying it back.
import { type ContactView, getContact } from '../../books/contacts/get-contact.ts'
import { listOpenItems } from '../../books/payments/list-open-items.ts'
import { refundCredit } from '../../books/payments/refund-credit.ts'
import { getOrganisation } from '../../books/settings/get-organisation.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import { initialAmount, readTypedAmount, typedAmount } from '../components/amount-field.ts'
import { Day, formatDay } from '../components/day.tsx'
import { DraftSelect, DraftText } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { formatMoney, Money } from '../components/money.tsx'
import { Table } from '../components/table.tsx'
import { BookingDay, readableDraft, readDay } from '../documents/act-form.tsx'
import {
  lastMoneyAccount,
  moneyAccounts,
  readReference,
  readWorth,
  WorthFields,
} from '../documents/payment-fields.tsx'
import { type AppRoute, defineForm } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'

const path = '/contacts'

type Credit = {
  readonly id: string
  readonly date: string
  readonly currency: string
  readonly openMinor: bigint
  // Whether the contact paid it.
  readonly isIn: boolean
}

async function readCredits(visit: Visit, contactId: string): Promise<Credit[]> {
  const items = await visit.run(listOpenItems, { contactId })
  return items
    .filter(({ source }) => source === 'payment')
    .map(({ id, date, currency, openMinor }) => ({
      ...{ id, date, currency },
      openMinor: openMinor < 0n ? -openMinor : openMinor,
      isIn: openMinor < 0n,
    }))
}

export async function unusedPayments(visit: Visit, { id: contactId, name }: ContactView) {
  const credits = await readCredits(visit, contactId)
  if (credits.length === 0) return null
  const mayRefund = visit.may(refundCredit)
  return (
    <section>
      <h2>Unused payments</h2>
      <p class="quiet">
        Use them from an open invoice or bill of {name}
        {mayRefund && ', or record the money that was paid back'}.
      </p>
      <Table
        caption="Unused payments"
        rows={credits}
        keyOf={({ id }) => id}
        columns={[
          { label: 'Payment', cell: ({ isIn }) => `${isIn ? 'From' : 'To'} ${name}` },
          { label: 'Date', cell: ({ date }) => <Day of={date} /> },
          {
            label: 'Not used',
            isNumber: true,
            cell: ({ openMinor, currency }) => <Money minor={openMinor} currency={currency} />,
          },
          {
            label: 'Actions',
            cell: ({ id }) =>
              mayRefund && (
                <a href={visit.href(`${path}/${contactId}/payments/${id}/refund`)}>Refund</a>
              ),
          },
        ]}
      />
    </section>
  )
}

async function readCredit(visit: Visit): Promise<Credit> {
  const credits = await readCredits(visit, visit.param('id'))
  const credit = credits.find(({ id }) => id === visit.param('payment'))
  if (!credit) throw notFound('unused payment')
  return credit
}

export const creditForms: AppRoute[] = defineForm({
  path: `${path}/:id/payments/:payment/refund`,
  operation: refundCredit,
  async input(visit, form) {
    const { id, currency } = await readCredit(visit)
    const organisation = await visit.run(getOrganisation, {})
    return {
      itemId: id,
      amount: typedAmount(readTypedAmount(form, 'amount', currency), currency),
      accountId: form.get('accountId') ?? '',
      ...readDay(form),
      ...readWorth(form, { organisation }),
      ...readReference(form),
    }
  },
  async show(visit, draft) {
    const contact = await visit.run(getContact, { id: visit.param('id') })
    const { currency, openMinor, date, isIn } = await readCredit(visit)
    const organisation = await visit.run(getOrganisation, {})
    const { baseCurrency } = organisation
    const [accounts, last] = await Promise.all([
      moneyAccounts(visit),
      lastMoneyAccount(visit, isIn ? 'purchases' : 'sales', { currency, baseCurrency }),
    ])
    const readable = readableDraft(draft)
    const open = formatMoney(openMinor, currency)
    return formPage({
      title: `Refund: payment of ${formatDay(date)}`,
      back: { href: visit.href(`${path}/${contact.id}`), text: contact.name },
      draft: readable,
      submit: 'Record refund',
      isDangerous: true,
      children: (
        <>
          <p>
            {open} of the payment is not used.{' '}
            {isIn
              ? `Record the money that you paid back to ${contact.name}.`
              : `Record the money that ${contact.name} paid back.`}
          </p>
          <DraftText
            draft={draft}
            name="amount"
            label={`Amount in ${currency}`}
            inputMode="decimal"
            initial={initialAmount(openMinor, currency)}
          />
          <BookingDay visit={visit} draft={draft} story={{ organisation }} />
          <DraftSelect
            draft={readable}
            name="accountId"
            label="Account"
            choices={accounts}
            initial={last ?? ''}
          />
          <DraftText draft={draft} name="reference" label="Reference" isOptional />
          <WorthFields draft={draft} currency={currency} baseCurrency={baseCurrency} />
        </>
      ),
    })
  },
  done: (visit) => ({
    location: visit.href(`${path}/${visit.param('id')}`),
    message: 'The refund is recorded.',
  }),
})
