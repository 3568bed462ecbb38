// One import: what is wrong with the file row by row, how far the import is, what it made, and the
// next step.
import { confirmImport, undoImport } from '../../books/imports/confirm-import.ts'
import type { ImportProblem } from '../../books/imports/import.ts'
import { getImport } from '../../books/imports/list-imports.ts'
import { startImport } from '../../books/imports/start-import.ts'
import { type ImportRecord, isWorking } from '../../books/imports/started-import.ts'
import { Card } from '../../kernel/web/components.tsx'
import { ActionButton } from '../components/app-form.tsx'
import { Day } from '../components/day.tsx'
import { Facts } from '../components/facts.tsx'
import { Moment } from '../components/moment.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Table } from '../components/table.tsx'
import { definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { importForms } from './import-forms.tsx'
import { importTexts } from './import-text.ts'
import { importsPages, StatusBadge } from './imports-page.tsx'

const path = '/settings/imports'

const onePage = definePage({
  path: `${path}/:id`,
  operation: getImport,
  async show(visit) {
    const record = await visit.run(getImport, { id: visit.param('id') })
    const { fileName, problems } = record
    return {
      title: fileName,
      content: (
        <>
          <PageHeader
            back={{ href: visit.href(path), text: 'Imports' }}
            title={
              <>
                {fileName} <StatusBadge status={record.status} />
              </>
            }
            lead={leadOf(record)}
            actions={<Actions visit={visit} record={record} />}
          />
          <div class="stack">
            {isWorking(record) && <Progress visit={visit} record={record} />}
            {problems.length > 0 && <Problems record={record} problems={problems} />}
            <Card title="Details">
              <Details visit={visit} record={record} />
            </Card>
          </div>
        </>
      ),
    }
  },
})

export const importPages = [...importsPages, ...importForms, ...onePage]

type RecordProps = { visit: Visit; record: ImportRecord }

function leadOf(record: ImportRecord): string {
  const { status, rowCount, stepCount, stepsDone, problems } = record
  const rows = `${rowCount} ${rowCount === 1 ? 'row' : 'rows'}`
  const what = importTexts[record.name].title.toLowerCase()
  switch (status) {
    case 'checking':
      return `The ${rows} are being checked. Nothing is saved yet.`
    case 'refused':
      return `Nothing was saved. Fix the rows below in your file and upload it again.`
    case 'checked':
      return `All ${rows} are right (${what}: ${stepCount}). Nothing is saved yet.`
    case 'importing':
      return `You can leave this page. The import goes on.`
    case 'stopped':
      return `${stepsDone} of ${stepCount} were saved, then a row was refused. Undo the import, or enter the rest by hand.`
    case 'imported':
      return problems.length > 0
        ? 'Nothing was undone, because something depends on the import.'
        : `${rows} were imported (${what}: ${stepCount}).`
    case 'undoing':
      return 'Everything that the import made is being taken back.'
    case 'undone':
      return 'Everything that the import made was taken back.'
  }
}

function Actions({ visit, record }: RecordProps) {
  const { id, name, status } = record
  const again = (label: string) =>
    visit.may(startImport) && (
      <a class="btn" href={visit.href(`${path}/new/${name}`)}>
        {label}
      </a>
    )
  if (status === 'checked' && visit.may(confirmImport)) {
    return (
      <>
        {again('Upload another file')}
        <ActionButton
          action={visit.href(`${path}/${id}/confirm`)}
          token={visit.context.ids.uuid()}
          label={`Import ${record.rowCount} ${record.rowCount === 1 ? 'row' : 'rows'}`}
          isPrimary
        />
      </>
    )
  }
  if (status === 'refused' || status === 'undone') return <>{again('Upload the corrected file')}</>
  if ((status === 'imported' || status === 'stopped') && visit.may(undoImport)) {
    return (
      <a class="btn" href={visit.href(`${path}/${id}/undo`)}>
        Undo import
      </a>
    )
  }
  return null
}

// The browser looks again by itself; without JavaScript, the person does.
function Progress({ visit, record: { id, stepsDone, stepCount, status } }: RecordProps) {
  const words = { checking: 'checked', importing: 'imported', undoing: 'undone' }
  const word = words[status as keyof typeof words]
  return (
    <section class="card" aria-label="Progress" data-working>
      <div class="card-body">
        <progress class="work-progress" max={stepCount} value={stepsDone} />
        <p class="mb-0">
          {stepsDone} of {stepCount} {word}. <a href={visit.href(`${path}/${id}`)}>Look again</a>
        </p>
      </div>
    </section>
  )
}

function Problems({
  record: { status },
  problems,
}: {
  record: ImportRecord
  problems: readonly ImportProblem[]
}) {
  const title = status === 'imported' ? 'Why it can’t be undone' : 'Problems'
  return (
    <section>
      <h2>{title}</h2>
      <Table
        caption={title}
        rows={problems.map((problem, index) => ({ ...problem, index }))}
        keyOf={({ index }) => `${index}`}
        columns={[
          { label: 'Row', cell: ({ row }) => row ?? 'File' },
          { label: 'Column', cell: ({ column }) => column ?? '' },
          { label: 'Problem', cell: ({ message }) => message },
        ]}
      />
    </section>
  )
}

function Details({ visit, record }: RecordProps) {
  const { name, rowCount, date, isPosted, sendsWebhooks, createdAt, finishedAt } = record
  const isDocument = name === 'invoices' || name === 'bills'
  const posted = name === 'invoices' ? 'Issued, with their own numbers' : 'Approved'
  return (
    <Facts
      facts={[
        ['What', importTexts[name].title],
        ['Rows', rowCount],
        date !== null && ['Day', <Day of={date} />],
        isDocument && ['They become', isPosted ? posted : 'Drafts'],
        ['Webhooks', sendsWebhooks ? 'Sent' : 'Not sent'],
        ['Uploaded', <Moment at={createdAt} zone={visit.zone} />],
        finishedAt !== null && ['Imported', <Moment at={finishedAt} zone={visit.zone} />],
        record.undoneAt !== null && ['Undone', <Moment at={record.undoneAt} zone={visit.zone} />],
      ]}
    />
  )
}
