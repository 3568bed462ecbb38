// The audit log: who did what, when, and to which object.
import type { AccessOperations } from '../../kernel/access/access-operations.ts'
import { isCurrency } from '../../kernel/money/currency.ts'
import { TextField } from '../../kernel/web/form.tsx'
import { actorText, actTitle } from '../components/act-text.ts'
import { Moment } from '../components/moment.tsx'
import { formatMoney } from '../components/money.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { EmptyState, Pager, Table } from '../components/table.tsx'
import { type AppRoute, definePage } from '../shell/define-page.ts'

const path = '/settings/audit-log'

export function auditLogPages({ listActs }: AccessOperations): AppRoute[] {
  return definePage({
    path,
    operation: listActs,
    async show(visit) {
      const text = visit.query.get('text')?.trim() || undefined
      const before = visit.query.get('before') ?? undefined
      const { acts, nextBefore } = await visit.run(listActs, { text, before })
      return {
        title: 'Audit log',
        content: (
          <>
            <PageHeader
              title="Audit log"
              lead="Every change, and who made it. Rows are linked by hashes, so a change of the log itself shows."
              back={{ href: visit.href('/settings'), text: 'Settings' }}
            />
            <form class="filter-bar" method="get">
              <TextField
                name="text"
                label="Action or object"
                hint="For example refund, api_key, or the id of a payment."
                value={text ?? ''}
                isOptional
              />
              <button class="btn mb-3" type="submit">
                Search
              </button>
            </form>
            {acts.length === 0 ? (
              <EmptyState
                title={text ? 'Nothing found' : 'Nothing yet'}
                action={
                  text && (
                    <a class="btn" href={visit.href(path)}>
                      Show the whole log
                    </a>
                  )
                }
              >
                {text
                  ? `No action and no object contains “${text}”.`
                  : 'Every change that a person, a key or Tillbook makes appears here.'}
              </EmptyState>
            ) : (
              <Table
                caption="Audit log"
                rows={acts}
                keyOf={({ id }) => id}
                columns={[
                  { label: 'What', cell: (act) => <strong>{actTitle(act)}</strong> },
                  { label: 'Who', cell: actorText },
                  { label: 'When', cell: ({ at }) => <Moment at={at} zone={visit.zone} /> },
                  { label: 'Details', cell: ({ detail }) => detailText(detail) },
                ]}
              />
            )}
            <Pager
              firstHref={before ? visit.href(path, { text }) : undefined}
              nextHref={nextBefore ? visit.href(path, { text, before: nextBefore }) : undefined}
            />
          </>
        ),
      }
    },
  })
}

type Detail = Readonly<Record<string, unknown>>

function detailText(detail: Detail): string {
  return Object.entries(detail)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => amountText(detail, name) ?? `${wordsOf(name)}: ${valueText(value)}`)
    .join(', ')
}

// `amountMinor` with a `currency` → `amount: NGN 180.00`
function amountText({ currency, ...detail }: Detail, name: string): string | undefined {
  const [, what] = /^(.+?)_?minor$/i.exec(name) ?? []
  const minor = String(detail[name])
  if (!what || typeof currency !== 'string' || !isCurrency(currency)) return undefined
  return /^-?\d+$/.test(minor)
    ? `${wordsOf(what)}: ${formatMoney(BigInt(minor), currency)}`
    : undefined
}

// `object_id`, `objectId` → `object id`
function wordsOf(name: string): string {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll('_', ' ')
    .toLowerCase()
}

function valueText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
