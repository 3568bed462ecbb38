// Writing off what is not expected to be paid.
import type { DocumentStory } from '../../books/documents/get-document-story.ts'
import { writeOffBill } from '../../books/payments/write-off-bill.ts'
import { writeOffInvoice } from '../../books/payments/write-off-invoice.ts'
import { initialAmount } from '../components/amount-field.ts'
import { DraftSelect, DraftText } from '../components/draft-fields.tsx'
import type { AppRoute, Draft } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { actForm, BookingDay, CheckField, readDay } from './act-form.tsx'
import { amountOf } from './money-forms.tsx'

const claimed = (form: URLSearchParams) => ({ claimsTaxRelief: form.has('claimsTaxRelief') })

export const writeOffForms: AppRoute[] = [
  ...actForm({
    side: 'sales',
    act: 'write_off',
    operation: writeOffInvoice,
    submit: 'Write off',
    isDangerous: true,
    input: (_visit, form, story) => ({
      documentId: story.document.id,
      ...amountOf(form, story),
      ...readDay(form),
      ...claimed(form),
    }),
    fields: async (visit, draft, story) => (
      <>
        <p>The amount is no longer expected. It is booked as a bad debt.</p>
        <WriteOffFields visit={visit} draft={draft} story={story} />
      </>
    ),
    message: 'Written off.',
  }),
  ...actForm({
    side: 'purchases',
    act: 'write_off',
    operation: writeOffBill,
    submit: 'Write off',
    isDangerous: true,
    input: (_visit, form, story) => ({
      documentId: story.document.id,
      ...amountOf(form, story),
      accountId: form.get('accountId') ?? '',
      ...readDay(form),
      ...claimed(form),
    }),
    fields: async (visit, draft, story) => (
      <>
        <p>You will not pay the amount. It is booked as a gain.</p>
        <WriteOffFields visit={visit} draft={draft} story={story} />
        <DraftSelect
          draft={draft}
          name="accountId"
          label="Account of the gain"
          choices={gainAccounts(story)}
        />
      </>
    ),
    message: 'Written off.',
  }),
]

type WriteOffProps = { visit: Visit; draft: Draft; story: DocumentStory }

function WriteOffFields({ visit, draft, story }: WriteOffProps) {
  const { document, dueMinor } = story
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
      {document.taxTotalMinor !== 0n && (
        <CheckField
          draft={draft}
          name="claimsTaxRelief"
          label="Take the tax in it back"
          hint="Where the tax authority grants relief for debts that are not paid."
        />
      )}
    </>
  )
}

function gainAccounts({ accounts }: DocumentStory): Record<string, string> {
  return Object.fromEntries(
    [...accounts.values()]
      .filter(({ type, active }) => active && (type === 'income' || type === 'expense'))
      .map(({ id, code, name }) => [id, `${code} ${name}`]),
  )
}
