// Posting a manual journal, for facts without a document or payment, and reversing one.
import { listAccounts } from '../../books/accounts/list-accounts.ts'
import { getJournalEntry } from '../../books/journal/get-journal-entry.ts'
import { postManualJournal } from '../../books/journal/post-manual-journal.ts'
import { reverseManualJournal } from '../../books/journal/reverse-manual-journal.ts'
import { listJournalTemplates } from '../../books/journal-templates/list-journal-templates.ts'
import { getOrganisation } from '../../books/settings/get-organisation.ts'
import { today } from '../../books/settings/organisation.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import { DraftText } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { type Draft, defineForm } from '../shell/define-page.ts'
import { tokenField } from '../shell/token-field.ts'
import type { Visit } from '../shell/visit.ts'
import { JournalLines, journalValues, readJournal } from './journal-lines.tsx'
import { sequenceOf } from './journal-page.tsx'
import { openingBalancesForm } from './opening-balances-form.tsx'
import { journalTemplatePages } from './template-pages.tsx'

const path = '/journal'

const postForm = defineForm({
  path: `${path}/new`,
  operation: postManualJournal,
  async input(visit, form) {
    const { baseCurrency } = await visit.run(getOrganisation, {})
    return { date: form.get('date') ?? '', ...readJournal(form, baseCurrency) }
  },
  async show(visit, fresh) {
    const [accounts, day] = await Promise.all([visit.run(listAccounts, {}), todayOf(visit)])
    const active = accounts.filter((account) => account.active)
    const draft = await fromTemplate(visit, fresh)
    return formPage({
      title: 'New manual journal',
      back: { href: visit.href(path), text: 'Journal' },
      draft,
      submit: 'Post journal',
      isWide: true,
      children: (
        <>
          <DraftText draft={draft} name="date" label="Date" type="date" initial={day} />
          <DraftText draft={draft} name="description" label="Description" />
          <JournalLines draft={draft} accounts={active} />
          <p class="quiet">
            Debits and credits must be equal. An entry that is posted never changes; it can be
            reversed. <a href={visit.href(`${path}/templates`)}>Start from a template</a>
          </p>
        </>
      ),
    })
  },
  done: (visit, { sequence }) => ({
    location: visit.href(`${path}/${sequence}`),
    message: `Entry ${sequence} is posted.`,
  }),
})

const reverseForm = defineForm({
  path: `${path}/:sequence/reverse`,
  operation: reverseManualJournal,
  async input(visit, form) {
    const { sourceId } = await entryOf(visit)
    return { journalId: sourceId, date: form.get('date') ?? '' }
  },
  async show(visit, draft) {
    const [{ sequence, description }, day] = await Promise.all([entryOf(visit), todayOf(visit)])
    return formPage({
      title: `Reverse entry ${sequence}`,
      back: { href: visit.href(`${path}/${sequence}`), text: `Entry ${sequence}` },
      draft,
      submit: 'Reverse entry',
      isDangerous: true,
      children: (
        <>
          <p>A new entry takes back every line of “{description}”. Both stay in the journal.</p>
          <DraftText
            draft={draft}
            name="date"
            label="Date of the reversal"
            type="date"
            initial={day}
          />
        </>
      ),
    })
  },
  done: (visit, { sequence }) => ({
    location: visit.href(`${path}/${sequence}`),
    message: 'The entry is reversed.',
  }),
})

export const manualJournalForms = [
  ...journalTemplatePages,
  ...postForm,
  ...openingBalancesForm,
  ...reverseForm,
]

function entryOf(visit: Visit) {
  const sequence = sequenceOf(visit.param('sequence'))
  if (sequence === undefined) throw notFound('journal entry')
  return visit.run(getJournalEntry, { sequence })
}

async function todayOf(visit: Visit): Promise<string> {
  return today(await visit.run(getOrganisation, {}), visit.context.clock.now())
}

// Fills a fresh form with the template in the address.
async function fromTemplate(visit: Visit, draft: Draft): Promise<Draft> {
  const id = draft.values.get('template')
  if (id === null || draft.values.has(tokenField)) return draft
  const templates = await visit.run(listJournalTemplates, {})
  const template = templates.find((one) => one.id === id)
  if (!template) throw notFound('template')
  return { ...draft, values: journalValues(template.journal) }
}
