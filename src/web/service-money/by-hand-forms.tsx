// Posting what the payment service did by hand, for days on which it is not posted automatically.
// Nothing is posted twice: each is recognised by its id in the payment service.
import { listAccounts } from '../../books/accounts/list-accounts.ts'
import { bookLinkPayment } from '../../books/service-money/book-link-payment.ts'
import { bookLinkRefund } from '../../books/service-money/book-link-refund.ts'
import { bookPayout } from '../../books/service-money/book-payout.ts'
import { getOrganisation } from '../../books/settings/get-organisation.ts'
import { today } from '../../books/settings/organisation.ts'
import { DraftSelect, DraftText } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { type Draft, defineForm } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { openInvoices } from './link-invoice-forms.tsx'
import { serviceMoneyPath } from './service-money-text.ts'

export const byHandPath = `${serviceMoneyPath}/by-hand`

const back = (visit: Visit) => ({ href: visit.href(serviceMoneyPath), text: 'Service money' })
const posted = (visit: Visit) => ({ location: visit.href(serviceMoneyPath), message: 'Posted.' })
const text = (form: URLSearchParams, name: string) => (form.get(name) ?? '').trim()

const reported = (form: URLSearchParams) => ({
  date: text(form, 'date'),
  currency: text(form, 'currency').toUpperCase(),
  amount: text(form, 'amount'),
})

const paymentForm = defineForm({
  path: `${byHandPath}/payment`,
  operation: bookLinkPayment,
  input: (_visit, form) => ({
    ...reported(form),
    externalId: text(form, 'externalId'),
    documentId: text(form, 'documentId'),
    fee: text(form, 'fee') || undefined,
  }),
  show: async (visit, draft) =>
    formPage({
      title: 'Post a payment of the service',
      ...{ back: back(visit), draft, submit: 'Post payment' },
      children: (
        <>
          <DraftText draft={draft} name="externalId" label="Id of the payment" />
          <DraftSelect
            draft={draft}
            name="documentId"
            label="Invoice"
            choices={{ '': 'Choose an invoice', ...(await openInvoices(visit)) }}
          />
          {await reportedFields(visit, draft)}
          <DraftText
            draft={draft}
            name="fee"
            label="Fee that the service kept (optional)"
            inputMode="decimal"
            isOptional
          />
        </>
      ),
    }),
  done: posted,
})

const refundForm = defineForm({
  path: `${byHandPath}/refund`,
  operation: bookLinkRefund,
  input: (_visit, form) => ({
    ...reported(form),
    externalId: text(form, 'externalId'),
    paymentExternalId: text(form, 'paymentExternalId'),
  }),
  show: async (visit, draft) =>
    formPage({
      title: 'Post a refund of the service',
      ...{ back: back(visit), draft, submit: 'Post refund' },
      children: (
        <>
          <DraftText draft={draft} name="externalId" label="Id of the refund" />
          <DraftText draft={draft} name="paymentExternalId" label="Id of the refunded payment" />
          {await reportedFields(visit, draft)}
        </>
      ),
    }),
  done: posted,
})

const payoutForm = defineForm({
  path: `${byHandPath}/payout`,
  operation: bookPayout,
  input: (_visit, form) => ({
    ...reported(form),
    id: text(form, 'id'),
    accountId: text(form, 'accountId'),
    accountAmount: text(form, 'accountAmount') || undefined,
  }),
  show: async (visit, draft) =>
    formPage({
      title: 'Post a payout of the service',
      ...{ back: back(visit), draft, submit: 'Post payout' },
      children: (
        <>
          <DraftText draft={draft} name="id" label="Id of the payout" />
          <DraftSelect
            draft={draft}
            name="accountId"
            label="Bank account"
            choices={{ '': 'Choose an account', ...(await bankAccounts(visit)) }}
          />
          {await reportedFields(visit, draft)}
          <DraftText
            draft={draft}
            name="accountAmount"
            label="What arrived there (optional)"
            hint="Only if the account is in a third currency."
            inputMode="decimal"
            isOptional
          />
        </>
      ),
    }),
  done: posted,
})

async function reportedFields(visit: Visit, draft: Draft) {
  const { baseCurrency, timeZone } = await visit.run(getOrganisation, {})
  const day = today({ timeZone }, visit.context.clock.now())
  return (
    <>
      <DraftText draft={draft} name="date" label="Day" type="date" initial={day} />
      <DraftText draft={draft} name="currency" label="Currency" initial={baseCurrency} />
      <DraftText draft={draft} name="amount" label="Amount" inputMode="decimal" />
    </>
  )
}

async function bankAccounts(visit: Visit): Promise<Record<string, string>> {
  const accounts = await visit.run(listAccounts, {})
  return Object.fromEntries(
    accounts
      .filter(({ subtype, active }) => subtype === 'bank' && active)
      .map(({ id, code, name }) => [id, `${code} ${name}`]),
  )
}

export const byHandForms = [...paymentForm, ...refundForm, ...payoutForm]
