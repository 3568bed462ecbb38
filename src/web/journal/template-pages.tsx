// Templates of manual journals: saved from a journal, and used for a new one.

import { getJournalEntry } from '../../books/journal/get-journal-entry.ts'
import { getManualJournal, type JournalWithLines } from '../../books/journal/get-manual-journal.ts'
import { postManualJournal } from '../../books/journal/post-manual-journal.ts'
import { createJournalTemplate } from '../../books/journal-templates/create-journal-template.ts'
import { deleteJournalTemplate } from '../../books/journal-templates/delete-journal-template.ts'
import { listJournalTemplates } from '../../books/journal-templates/list-journal-templates.ts'
import type { JournalTemplate } from '../../books/recurring/recurring-template.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import { typedAmount } from '../components/amount-field.ts'
import { ActionButton } from '../components/app-form.tsx'
import { DraftText } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { EmptyState, Table } from '../components/table.tsx'
import { type AppRoute, defineAction, defineForm, definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { sequenceOf } from './journal-page.tsx'

const path = '/journal/templates'

// A posted journal without its day. A foreign line keeps its worth, so that the lines balance.
export function templateOf(
  { description, lines }: JournalWithLines,
  baseCurrency: string,
): JournalTemplate {
  const positive = (minor: bigint) => (minor < 0n ? -minor : minor)
  return {
    description,
    lines: lines.map((line) => ({
      accountId: line.accountId,
      [line.amountMinor > 0n || line.baseMinor > 0n ? 'debit' : 'credit']: typedAmount(
        positive(line.amountMinor),
        line.currency,
      ),
      ...(line.currency !== baseCurrency && {
        currency: line.currency,
        baseAmount: typedAmount(positive(line.baseMinor), baseCurrency),
      }),
      ...(line.contactId !== null && { contactId: line.contactId }),
      ...(line.taxCodeId !== null && { taxCodeId: line.taxCodeId }),
      ...(line.description !== null && { description: line.description }),
    })),
  }
}

const listPage = definePage({
  path,
  operation: listJournalTemplates,
  async show(visit) {
    const templates = await visit.run(listJournalTemplates, {})
    const mayPost = visit.may(postManualJournal)
    const mayDelete = visit.may(deleteJournalTemplate)
    return {
      title: 'Templates of journals',
      content: (
        <>
          <PageHeader
            back={{ href: visit.href('/journal'), text: 'Journal' }}
            title="Templates of journals"
            lead="Manual journals that you post now and then."
          />
          {templates.length === 0 ? (
            <EmptyState title="No templates yet">
              Open a manual journal and choose “Save as template”.
            </EmptyState>
          ) : (
            <Table
              caption="Templates of journals"
              rows={templates}
              keyOf={({ id }) => id}
              columns={[
                {
                  label: 'Name',
                  cell: ({ id, name }) =>
                    mayPost ? (
                      <a href={visit.href('/journal/new', { template: id })}>{name}</a>
                    ) : (
                      name
                    ),
                },
                { label: 'Text', cell: ({ journal }) => journal.description },
                { label: 'Lines', isNumber: true, cell: ({ journal }) => journal.lines.length },
                {
                  label: 'Delete',
                  cell: ({ id }) =>
                    mayDelete && (
                      <ActionButton
                        action={visit.href(`${path}/${id}/delete`)}
                        token={visit.context.ids.uuid()}
                        label="Delete"
                      />
                    ),
                },
              ]}
            />
          )}
        </>
      ),
    }
  },
})

const deleteAction = defineAction({
  path: `${path}/:id/delete`,
  operation: deleteJournalTemplate,
  page: (visit) => visit.href(path),
  input: (visit) => ({ id: visit.param('id') }),
  done: (visit) => ({ location: visit.href(path), message: 'The template is deleted.' }),
})

const saveForm = defineForm({
  path: '/journal/:sequence/template',
  operation: createJournalTemplate,
  async input(visit, form) {
    const { entry, journal } = await readJournal(visit)
    return { name: form.get('name') ?? '', ...templateOf(journal, entry.currency) }
  },
  async show(visit, draft) {
    const { entry } = await readJournal(visit)
    const { sequence, description } = entry
    return formPage({
      title: 'Save as template',
      back: { href: visit.href(`/journal/${sequence}`), text: `Entry ${sequence}` },
      draft,
      submit: 'Save template',
      children: (
        <>
          <p>Its text and lines can be used for new journals.</p>
          <DraftText draft={draft} name="name" label="Name" initial={description} />
        </>
      ),
    })
  },
  done: (visit, { name }) => ({
    location: visit.href(path),
    message: `The template ${name} is saved.`,
  }),
})

async function readJournal(visit: Visit) {
  const sequence = sequenceOf(visit.param('sequence'))
  if (sequence === undefined) throw notFound('journal entry')
  const entry = await visit.run(getJournalEntry, { sequence })
  return { entry, journal: await visit.run(getManualJournal, { id: entry.sourceId }) }
}

export const journalTemplatePages: AppRoute[] = [...listPage, ...deleteAction, ...saveForm]
