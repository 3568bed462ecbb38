// The number patterns of documents.
import { getOrganisation } from '../../books/settings/get-organisation.ts'
import { listNumberPatterns } from '../../books/settings/list-number-patterns.ts'
import {
  formatNumber,
  type NumberedKind,
  numberedKinds,
} from '../../books/settings/number-series.ts'
import { today } from '../../books/settings/organisation.ts'
import { setNumberPattern } from '../../books/settings/set-number-pattern.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import { DraftText } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Table } from '../components/table.tsx'
import { defineForm, definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'

const path = '/settings/numbers'

const labels: Readonly<Record<NumberedKind, string>> = {
  invoice: 'Invoices',
  credit_note: 'Credit notes',
  quote: 'Quotes',
  bill: 'Bills',
  supplier_credit: 'Supplier credits',
  expense_claim: 'Expense claims',
}

const listPage = definePage({
  path,
  operation: listNumberPatterns,
  async show(visit) {
    const [patterns, day] = await Promise.all([visit.run(listNumberPatterns, {}), todayOf(visit)])
    const mayChange = visit.may(setNumberPattern)
    const rows = Object.keys(labels).flatMap((kind) =>
      patterns.filter((pattern) => pattern.kind === kind),
    )
    return {
      title: 'Document numbers',
      content: (
        <>
          <PageHeader
            back={{ href: visit.href('/settings'), text: 'Settings' }}
            title="Document numbers"
            lead="A document gets its number when it is issued or approved, without gaps. A number that was given never changes."
          />
          <Table
            caption="Document numbers"
            rows={rows}
            keyOf={({ kind }) => kind}
            {...(mayChange && {
              hrefOf: ({ kind }: { kind: NumberedKind }) => visit.href(`${path}/${kind}/edit`),
            })}
            columns={[
              { label: 'Documents', cell: ({ kind }) => labels[kind] },
              { label: 'Pattern', cell: ({ pattern }) => <code>{pattern}</code> },
              { label: 'First number', cell: ({ pattern }) => formatNumber(pattern, day, 1n) },
            ]}
          />
        </>
      ),
    }
  },
})

const editForm = defineForm({
  path: `${path}/:kind/edit`,
  operation: setNumberPattern,
  input: (visit, form) => ({ kind: kindOf(visit), pattern: (form.get('pattern') ?? '').trim() }),
  async show(visit, draft) {
    const kind = kindOf(visit)
    const patterns = await visit.run(listNumberPatterns, {})
    return formPage({
      title: `Numbers of ${labels[kind].toLowerCase()}`,
      back: { href: visit.href(path), text: 'Document numbers' },
      draft,
      submit: 'Save pattern',
      children: (
        <DraftText
          draft={draft}
          name="pattern"
          label="Pattern"
          hint="{YYYY} is the year; numbers then start again every year. {00000} is the counter with at least as many digits."
          initial={patterns.find((one) => one.kind === kind)?.pattern ?? ''}
        />
      ),
    })
  },
  done: (visit, { kind, pattern }) => ({
    location: visit.href(path),
    message: `${labels[kind]} are numbered ${pattern}.`,
  }),
})

export const numberPages = [...listPage, ...editForm]

function kindOf(visit: Visit): NumberedKind {
  const kind = numberedKinds.find((one) => one === visit.param('kind'))
  if (!kind) throw notFound('number pattern')
  return kind
}

async function todayOf(visit: Visit): Promise<string> {
  return today(await visit.run(getOrganisation, {}), visit.context.clock.now())
}
