// Forms that settle a document with money or a credit.

import type { DocumentSide } from '../../books/documents/document-status.ts'
import { isDebit, isSale } from '../../books/documents/document-status.ts'
import type { DocumentStory } from '../../books/documents/get-document-story.ts'
import { allocateCredit } from '../../books/payments/allocate-credit.ts'
import { listOpenItems } from '../../books/payments/list-open-items.ts'
import type { OpenItem } from '../../books/payments/open-item.ts'
import { recordPayment } from '../../books/payments/record-payment.ts'
import { refundCredit } from '../../books/payments/refund-credit.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import { initialAmount, readTypedAmount, typedAmount } from '../components/amount-field.ts'
import { formatDay } from '../components/day.tsx'
import { DraftSelect, DraftText } from '../components/draft-fields.tsx'
import { formatMoney } from '../components/money.tsx'
import type { AppRoute, Draft } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { actForm, BookingDay, readableDraft, readDay } from './act-form.tsx'
import {
  lastMoneyAccount,
  moneyAccounts,
  paymentWorth,
  readReference,
  readWorth,
} from './payment-fields.tsx'

export const moneyForms: AppRoute[] = [...sideForms('sales'), ...sideForms('purchases')]

export function amountOf(form: URLSearchParams, { document }: DocumentStory): { amount: string } {
  const minor = readTypedAmount(form, 'amount', document.currency)
  return { amount: typedAmount(minor, document.currency) }
}

function sideForms(side: DocumentSide): AppRoute[] {
  return [
    ...actForm({
      side,
      act: 'record_payment',
      operation: recordPayment,
      submit: 'Record payment',
      input(_visit, form, story) {
        requireSeenDue(form, story)
        const { document, dueMinor } = story
        const paidMinor = readTypedAmount(form, 'amount', document.currency)
        const usedMinor = paidMinor < dueMinor ? paidMinor : dueMinor
        const text = (minor: bigint) => typedAmount(minor, document.currency)
        return {
          direction: isDebit(document.kind) ? ('in' as const) : ('out' as const),
          contactId: document.contactId,
          currency: document.currency,
          amount: text(paidMinor),
          accountId: form.get('accountId') ?? '',
          ...readDay(form),
          ...readWorth(form, story),
          ...readReference(form),
          allocations: usedMinor > 0n ? [{ itemId: document.id, amount: text(usedMinor) }] : [],
        }
      },
      fields: async (visit, draft, story) => (
        <>
          <input type="hidden" name={seenDueField} value={String(story.dueMinor)} />
          <p>
            {formatMoney(story.dueMinor, story.document.currency)} is due. A larger amount leaves a
            credit of {story.contact.name}.
          </p>
          {await moneyFields(visit, draft, story, side)}
          {await paymentWorth(visit, draft, story)}
        </>
      ),
      message: 'The payment is recorded.',
    }),
    ...actForm({
      side,
      act: 'refund_credit',
      operation: refundCredit,
      submit: 'Record refund',
      isDangerous: true,
      input: (_visit, form, story) => ({
        itemId: story.document.id,
        ...amountOf(form, story),
        accountId: form.get('accountId') ?? '',
        ...readDay(form),
        ...readWorth(form, story),
        ...readReference(form),
      }),
      fields: async (visit, draft, story) => (
        <>
          <p>
            {formatMoney(story.dueMinor, story.document.currency)} of the credit is not used.{' '}
            {isSale(story.document.kind)
              ? `Record the money that you paid back to ${story.contact.name}.`
              : `Record the money that ${story.contact.name} paid back.`}
          </p>
          {await moneyFields(visit, draft, story, side)}
          {await paymentWorth(visit, draft, story)}
        </>
      ),
      message: 'The refund is recorded.',
    }),
    ...useCreditForm(side),
  ]
}

const seenDueField = 'seenDueMinor'

// What is above the amount due becomes a credit. If the document was paid meanwhile, that would
// book the same money again.
function requireSeenDue(form: URLSearchParams, { document, dueMinor }: DocumentStory): void {
  if (form.get(seenDueField) === String(dueMinor)) return
  const due = formatMoney(dueMinor, document.currency)
  throw new Fault(
    'conflict',
    `What is due has changed since you opened this form: it is ${due} now. Nothing was recorded. ` +
      'Check the amount, and submit it again.',
  )
}

async function moneyFields(visit: Visit, draft: Draft, story: DocumentStory, side: DocumentSide) {
  const { document, dueMinor, organisation } = story
  const currencies = { currency: document.currency, baseCurrency: organisation.baseCurrency }
  const [accounts, last] = await Promise.all([
    moneyAccounts(visit),
    lastMoneyAccount(visit, side, currencies),
  ])
  return (
    <>
      <DraftText
        draft={draft}
        name="amount"
        label={`Amount in ${document.currency}`}
        inputMode="decimal"
        initial={initialAmount(dueMinor, document.currency)}
      />
      <BookingDay visit={visit} draft={draft} story={story} />
      <DraftSelect
        draft={readableDraft(draft)}
        name="accountId"
        label="Account"
        choices={accounts}
        initial={last ?? ''}
      />
      <DraftText draft={draft} name="reference" label="Reference" isOptional />
    </>
  )
}

// Of a credit: the documents that it can settle. Of another document: the credits that can.
function useCreditForm(side: DocumentSide): AppRoute[] {
  return actForm({
    side,
    act: 'use_credit',
    operation: allocateCredit,
    submit: 'Use credit',
    input(_visit, form, story) {
      const { document } = story
      const otherId = form.get('itemId') ?? ''
      const isDocumentCredit = isCreditDocument(story)
      const amount = (form.get('amount') ?? '').trim()
      return {
        creditId: isDocumentCredit ? document.id : otherId,
        documentId: isDocumentCredit ? otherId : document.id,
        ...readDay(form),
        ...(amount !== '' && amountOf(form, story)),
      }
    },
    async nothing(visit, story) {
      const { document, contact, problems } = story
      if (problems.use_credit !== null) return undefined
      if ((await usableItems(visit, story)).length > 0) return undefined
      return isCreditDocument(story)
        ? `${contact.name} has nothing open that this credit could settle.`
        : `${contact.name} has no credit or overpayment in ${document.currency}.`
    },
    async fields(visit, draft, story) {
      const items = await usableItems(visit, story)
      return (
        <>
          <DraftSelect
            draft={draft}
            name="itemId"
            label={isCreditDocument(story) ? 'Use it for' : 'Credit'}
            choices={Object.fromEntries(items.map(({ id, label }) => [id, label]))}
            initial={items[0]?.id ?? ''}
          />
          <DraftText
            draft={draft}
            name="amount"
            label={`Amount in ${story.document.currency}`}
            hint="Empty: as much as possible."
            inputMode="decimal"
            isOptional
          />
          <BookingDay visit={visit} draft={draft} story={story} />
        </>
      )
    },
    message: 'The credit is used.',
  })
}

function isCreditDocument({ document }: DocumentStory): boolean {
  return document.kind === 'credit_note' || document.kind === 'supplier_credit'
}

async function usableItems(visit: Visit, { document, entryLines }: DocumentStory) {
  const items = await visit.run(listOpenItems, { contactId: document.contactId })
  const own = items.find(({ id }) => id === document.id)
  if (!own || entryLines.length === 0) return []
  const isUsable = (item: OpenItem) =>
    item.accountId === own.accountId &&
    item.currency === own.currency &&
    item.openMinor > 0n !== own.openMinor > 0n
  return items.filter(isUsable).map((item) => {
    const openMinor = item.openMinor < 0n ? -item.openMinor : item.openMinor
    const name = item.number ?? (item.source === 'payment' ? 'Payment' : 'Document')
    const open = formatMoney(openMinor, item.currency)
    return { id: item.id, label: `${name} of ${formatDay(item.date)}: ${open} open` }
  })
}
