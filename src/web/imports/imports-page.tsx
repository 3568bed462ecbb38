// Imports: what can be imported, with a template for each, and what was imported before.
import { importTemplate } from '../../books/imports/import-kinds.ts'
import { listImports } from '../../books/imports/list-imports.ts'
import { startImport } from '../../books/imports/start-import.ts'
import type { ImportRecord } from '../../books/imports/started-import.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import { Badge } from '../../kernel/web/components.tsx'
import { Moment } from '../components/moment.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { EmptyState, Table } from '../components/table.tsx'
import { definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { importNameOf, importTexts, statusLooks } from './import-text.ts'

const path = '/settings/imports'

const listPage = definePage({
  path,
  operation: listImports,
  async show(visit) {
    const imports = await visit.run(listImports, {})
    return {
      title: 'Imports',
      content: (
        <>
          <PageHeader
            back={{ href: visit.href('/settings'), text: 'Settings' }}
            title="Imports"
            lead="Move your books here. Every file is checked first, and an import can be undone."
          />
          <div class="stack">
            <Kinds visit={visit} />
            <section>
              <h2>Earlier imports</h2>
              <Earlier visit={visit} imports={imports} />
            </section>
          </div>
        </>
      ),
    }
  },
})

const templatePage = definePage({
  path: `${path}/templates/:name`,
  operation: listImports,
  async show(visit) {
    const name = importNameOf(visit.param('name'))
    if (!name) throw notFound('template')
    return {
      status: 200,
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${name}.csv"`,
      },
      body: importTemplate(name),
    }
  },
})

export const importsPages = [...listPage, ...templatePage]

function Kinds({ visit }: { visit: Visit }) {
  return (
    <ul class="setting-list">
      {Object.entries(importTexts).map(([name, { title, about }]) => (
        <li key={name}>
          <div class="card setting">
            <strong>{title}</strong>
            <span class="quiet">{about}</span>
            <span class="actions mt-2">
              {visit.may(startImport) && (
                <a class="btn btn-sm" href={visit.href(`${path}/new/${name}`)}>
                  Import<span class="visually-hidden"> {title.toLowerCase()}</span>
                </a>
              )}
              <a
                class="btn btn-sm"
                href={visit.href(`${path}/templates/${name}`)}
                data-turbo="false"
              >
                Template<span class="visually-hidden"> for {title.toLowerCase()}</span>
              </a>
            </span>
          </div>
        </li>
      ))}
    </ul>
  )
}

type EarlierProps = { visit: Visit; imports: readonly ImportRecord[] }

function Earlier({ visit, imports }: EarlierProps) {
  if (imports.length === 0) {
    return (
      <EmptyState title="Nothing imported yet">
        Start with the accounts and contacts, then the opening balances, then open invoices and
        bills.
      </EmptyState>
    )
  }
  return (
    <Table
      caption="Earlier imports"
      rows={imports}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => visit.href(`${path}/${id}`)}
      columns={[
        { label: 'File', cell: ({ fileName }) => fileName },
        { label: 'What', cell: ({ name }) => importTexts[name].title },
        { label: 'Rows', isNumber: true, cell: ({ rowCount }) => rowCount },
        { label: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
        {
          label: 'Uploaded',
          cell: ({ createdAt }) => <Moment at={createdAt} zone={visit.zone} />,
        },
      ]}
    />
  )
}

export function StatusBadge({ status }: Pick<ImportRecord, 'status'>) {
  const [tone, label] = statusLooks[status]
  return <Badge tone={tone}>{label}</Badge>
}
