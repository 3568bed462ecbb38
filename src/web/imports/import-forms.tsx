// Uploading a file, importing it after the check, and undoing an import.
import { confirmImport, undoImport } from '../../books/imports/confirm-import.ts'
import { decodeCsv } from '../../books/imports/csv-table.ts'
import type { UndoableName } from '../../books/imports/import.ts'
import { importOf } from '../../books/imports/import-kinds.ts'
import { getImport } from '../../books/imports/list-imports.ts'
import { importCharactersMax, startImport } from '../../books/imports/start-import.ts'
import { Fault, invalidField, notFound } from '../../kernel/basics/fault.ts'
import { FileField } from '../../kernel/web/form.tsx'
import { DraftSelect, DraftText } from '../components/draft-fields.tsx'
import { Facts } from '../components/facts.tsx'
import { formPage } from '../components/form-page.tsx'
import { type Draft, defineAction, defineForm } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { importNameOf, importTexts } from './import-text.ts'

const path = '/settings/imports'

const uploadForm = defineForm({
  path: `${path}/new/:name`,
  operation: startImport,
  takesFiles: { bytesMax: importCharactersMax, filesMax: 1 },
  input(visit, form) {
    const { fileName, bytes } = uploadedFile(visit)
    return {
      name: nameOf(visit),
      fileName,
      content: contentOf(bytes),
      date: form.get('date') || null,
      isPosted: form.get('isPosted') === 'yes',
      sendsWebhooks: form.get('sendsWebhooks') === 'yes',
      confirmsOldDate: form.get('confirmsOldDate') === 'yes',
    }
  },
  async show(visit, draft) {
    const name = nameOf(visit)
    const { title, about } = importTexts[name]
    return formPage({
      title: `Import ${title.toLowerCase()}`,
      back: { href: visit.href(path), text: 'Imports' },
      draft,
      submit: 'Upload and check',
      hasFile: true,
      children: (
        <>
          <p>
            {about}{' '}
            <a href={visit.href(`${path}/templates/${name}`)} data-turbo="false">
              Download the template
            </a>
            .
          </p>
          <Columns name={name} />
          <FileField
            name="file"
            label="File"
            hint="CSV from any spreadsheet, at most 5 MB and 10,000 rows. It is only checked at first."
            accept=".csv,text/csv,text/tab-separated-values,.tsv,.txt"
            error={draft.problems.file ?? draft.problems.content}
          />
          <Choices name={name} draft={draft} />
          <DraftSelect
            draft={draft}
            name="sendsWebhooks"
            label="Tell your webhook endpoints"
            hint="Mails are never sent by an import."
            initial="no"
            choices={{ no: 'No', yes: 'Yes, about every object' }}
          />
        </>
      ),
    })
  },
  done: (visit, { id }) => ({ location: visit.href(`${path}/${id}`), message: null }),
})

const confirmAction = defineAction({
  path: `${path}/:id/confirm`,
  operation: confirmImport,
  page: (visit) => visit.href(`${path}/${visit.param('id')}`),
  input: (visit) => ({ id: visit.param('id') }),
  done: (visit, { id }) => ({ location: visit.href(`${path}/${id}`), message: null }),
})

const undoForm = defineForm({
  path: `${path}/:id/undo`,
  operation: undoImport,
  input: (visit) => ({ id: visit.param('id') }),
  async show(visit, draft) {
    const { id, fileName, name } = await visit.run(getImport, { id: visit.param('id') })
    return formPage({
      title: `Undo the import of ${fileName}`,
      back: { href: visit.href(`${path}/${id}`), text: fileName },
      draft,
      submit: 'Undo import',
      isDangerous: true,
      children: <p>{undoTexts[name]} If one of them is used meanwhile, nothing is undone.</p>,
    })
  },
  done: (visit, { id }) => ({ location: visit.href(`${path}/${id}`), message: null }),
})

export const importForms = [...uploadForm, ...confirmAction, ...undoForm]

const deleted = 'Everything that the import added is deleted, if nothing uses it.'
const undoTexts: Readonly<Record<UndoableName, string>> = {
  accounts: deleted,
  contacts: deleted,
  items: deleted,
  'opening-balances': 'The opening balances are reversed on their own day.',
  invoices: 'Every invoice of the import is voided on its own day, and drafts are discarded.',
  bills: 'Every bill of the import is voided on its own day, and drafts are discarded.',
  payments: 'Every payment of the import is removed, and what it paid is open again.',
  journals: 'Every journal of the import is reversed on its own day.',
}

function nameOf(visit: Visit): UndoableName {
  const name = importNameOf(visit.param('name'))
  if (!name) throw notFound('page')
  return name
}

function uploadedFile({ request: { upload } }: Visit): { fileName: string; bytes: Buffer } {
  const file = upload?.kind === 'files' ? upload.files.find((one) => one.field === 'file') : null
  if (!file) throw invalidField('file', 'Choose a file.')
  if (file.bytes === 'too_large') throw invalidField('file', 'The file is larger than 5 MB.')
  return { fileName: file.name.slice(-200) || 'file.csv', bytes: file.bytes }
}

// The problem is the file's, wherever it is found.
function contentOf(bytes: Buffer): string {
  try {
    return decodeCsv(bytes)
  } catch (error) {
    if (!(error instanceof Fault) || typeof error.error === 'string') throw error
    throw invalidField('file', error.error.formErrors.join(' '))
  }
}

function Columns({ name }: { name: UndoableName }) {
  const { required, optional } = importOf(name)
  return (
    <Facts
      facts={[
        ['Columns', required.join(', ')],
        optional.length > 0 && ['Optional', optional.join(', ')],
      ]}
    />
  )
}

function Choices({ name, draft }: { name: UndoableName; draft: Draft }) {
  if (name === 'opening-balances') {
    return (
      <DraftText
        draft={draft}
        name="date"
        label="Day of the balances"
        hint="The last day before your books start here, for example 31 December."
        type="date"
      />
    )
  }
  if (name === 'invoices') {
    return (
      <DraftSelect
        draft={draft}
        name="isPosted"
        label="The invoices"
        hint="Their own numbers are kept apart from yours, so that yours have no gaps."
        initial="yes"
        choices={{
          yes: 'Were issued already: keep their numbers',
          no: 'Are new: make drafts to check and issue',
        }}
      />
    )
  }
  if (name === 'bills') {
    return (
      <DraftSelect
        draft={draft}
        name="isPosted"
        label="The bills"
        initial="yes"
        choices={{ yes: 'Are right: approve them', no: 'Make drafts to check' }}
      />
    )
  }
  return null
}
