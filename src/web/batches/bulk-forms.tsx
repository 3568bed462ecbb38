// One act on many documents: the person sees each of them and what would be refused, and decides.
import { type BatchAct, batchActs } from '../../books/batches/batch.ts'
import { createBatch } from '../../books/batches/create-batch.ts'
import { type PreviewedDocument, previewBatch } from '../../books/batches/preview-batch.ts'
import type { DocumentSide } from '../../books/documents/document-status.ts'
import { getOrganisation } from '../../books/settings/get-organisation.ts'
import { invalid } from '../../kernel/basics/fault.ts'
import { Alert } from '../../kernel/web/components.tsx'
import { AppForm } from '../components/app-form.tsx'
import { DraftSelect, DraftText } from '../components/draft-fields.tsx'
import { formatMoney } from '../components/money.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { BookingDay, readableDraft, readDay } from '../documents/act-form.tsx'
import { type DocumentPlace, placeOfSide, sidePaths } from '../documents/document-place.ts'
import { lastMoneyAccount, moneyAccounts } from '../documents/payment-fields.tsx'
import { type AppRoute, type Draft, defineForm } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { bulkLooks } from './bulk-acts.ts'
import { chosenIds, readSeen, seenField, writeSeen } from './chosen-documents.ts'
import { ChosenTable } from './chosen-table.tsx'

const sides: readonly DocumentSide[] = ['sales', 'purchases']

export const bulkForms: AppRoute[] = sides.flatMap((side) =>
  batchActs
    .filter((act) => side === 'sales' || (act !== 'issue' && act !== 'send'))
    .flatMap((act) => bulkForm(placeOfSide(side), side, act)),
)

function bulkForm(place: DocumentPlace, side: DocumentSide, act: BatchAct): AppRoute[] {
  const { label, slug, effect, titleOf } = bulkLooks[act]
  return defineForm({
    path: `${sidePaths[side]}/bulk/${slug}`,
    operation: createBatch,
    input: (_visit, form) => ({
      side,
      act,
      documents: readSeen(form),
      ...(act === 'record_payment' && { payment: readPayment(form) }),
    }),
    async show(visit, draft) {
      const documents = await readChosen(visit, place, side, act, draft)
      const possible = documents.filter(({ problem }) => problem === null)
      const refused = documents.filter(({ problem }) => problem !== null)
      const title = possible.length > 0 ? titleOf(possible.length) : label
      const back = { href: visit.href(place.path), text: place.title }
      return {
        title,
        content: (
          <>
            <PageHeader title={title} back={back} {...(possible.length > 0 && { lead: effect })} />
            <div class="stack">
              {documents.length === 0 && (
                <Alert tone="unsure">Choose at least one document in the list.</Alert>
              )}
              {refused.length > 0 && <Refused visit={visit} documents={refused} />}
              {possible.length > 0 && (
                <>
                  <ChosenTable
                    visit={visit}
                    caption="What it will be done to"
                    documents={possible}
                    isPaid={act === 'record_payment'}
                  />
                  <AppForm draft={readableDraft(draft)} submit={title} cancelHref={back.href}>
                    <input type="hidden" name={seenField} value={writeSeen(possible)} />
                    {act === 'record_payment' && (
                      <>
                        <p>
                          <strong>{dueText(possible)}</strong> in all.
                        </p>
                        {await paymentFields(visit, draft, side)}
                      </>
                    )}
                  </AppForm>
                </>
              )}
            </div>
          </>
        ),
      }
    },
    done: (visit, { id }) => ({ location: visit.href(`/batches/${id}`), message: null }),
  })
}

async function readChosen(
  visit: Visit,
  place: DocumentPlace,
  side: DocumentSide,
  act: BatchAct,
  draft: Draft,
): Promise<readonly PreviewedDocument[]> {
  const documentIds = await chosenIds(visit, place, draft.values)
  if (documentIds.length === 0) return []
  return visit.run(previewBatch, { side, act, documentIds })
}

type RefusedProps = { visit: Visit; documents: readonly PreviewedDocument[] }

function Refused({ visit, documents }: RefusedProps) {
  return (
    <section>
      <Alert tone="unsure">
        {documents.length === 1
          ? 'One of the chosen documents is left out.'
          : `${documents.length} of the chosen documents are left out.`}
      </Alert>
      <div class="mt-3">
        <ChosenTable visit={visit} caption="Left out" documents={documents} hasReasons />
      </div>
    </section>
  )
}

async function paymentFields(visit: Visit, draft: Draft, side: DocumentSide) {
  const organisation = await visit.run(getOrganisation, {})
  const { baseCurrency } = organisation
  const [accounts, last] = await Promise.all([
    moneyAccounts(visit),
    // The documents may be in several currencies; an account in that of the books takes all.
    lastMoneyAccount(visit, side, { currency: baseCurrency, baseCurrency }),
  ])
  return (
    <>
      <DraftSelect
        draft={draft}
        name="accountId"
        label={side === 'sales' ? 'Account that the money came into' : 'Account that pays'}
        choices={accounts}
        initial={last ?? ''}
      />
      <BookingDay visit={visit} draft={draft} story={{ organisation }} />
      <DraftText draft={draft} name="reference" label="Reference" isOptional />
    </>
  )
}

function readPayment(form: URLSearchParams) {
  const reference = (form.get('reference') ?? '').trim()
  const accountId = form.get('accountId') ?? ''
  if (accountId === '') throw invalid('Choose an account.')
  return { accountId, ...readDay(form), ...(reference !== '' && { reference }) }
}

// The sum in each currency.
function dueText(documents: readonly PreviewedDocument[]): string {
  const sums = new Map<string, bigint>()
  for (const { currency, dueMinor } of documents) {
    sums.set(currency, (sums.get(currency) ?? 0n) + dueMinor)
  }
  return [...sums].map(([currency, minor]) => formatMoney(minor, currency)).join(' + ')
}
