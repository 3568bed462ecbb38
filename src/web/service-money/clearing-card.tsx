// The clearing account beside the balances of the payment service: every part of it has a name, and
// the last column is zero.
import type { Clearing } from '../../books/service-money/get-clearing.ts'
import { today } from '../../books/settings/organisation.ts'
import type { ExplainedClearing } from '../../bridge/explain-clearing.ts'
import { Badge, Card } from '../../kernel/web/components.tsx'
import type { BalancePart } from '../../merchant/balances/balance.ts'
import { formatDay } from '../components/day.tsx'
import { Money } from '../components/money.tsx'
import { type Column, Table } from '../components/table.tsx'
import { ledgerHref } from '../reports/general-ledger-page.tsx'
import type { Visit } from '../shell/visit.ts'

type CardProps = {
  visit: Visit
  clearing: Clearing
  parts: readonly ExplainedClearing[]
}

export function ClearingCard({ visit, clearing, parts }: CardProps) {
  if (parts.length === 0) return null
  const isExplained = parts.every(({ unexplainedMinor }) => unexplainedMinor === 0n)
  return (
    <section>
      <h2>Clearing account {clearing.accountCode}</h2>
      <p class="quiet">
        It holds what the payment service holds for you. Collected money is pending until the
        provider settles it, then available until you pay it out.
      </p>
      <Table
        caption="Clearing account"
        rows={parts}
        keyOf={({ currency }) => currency}
        columns={columns(visit, clearing)}
      />
      {!isExplained && <Unexplained visit={visit} clearing={clearing} />}
    </section>
  )
}

function columns(visit: Visit, { accountId }: Clearing): Column<ExplainedClearing>[] {
  const day = today({ timeZone: visit.zone }, visit.context.clock.now())
  const ledger = ledgerHref(visit, accountId, { from: `${day.slice(0, 4)}-01-01`, to: day })
  const part = (label: string, name: BalancePart, minorOf: (row: ExplainedClearing) => bigint) => ({
    label,
    isNumber: true,
    cell: (row: ExplainedClearing) => (
      <a href={visit.href(`/balances/${row.currency}/${name}`)}>
        <Money minor={minorOf(row)} currency={row.currency} />
      </a>
    ),
  })
  return [
    {
      label: 'In the books',
      cell: ({ bookedMinor, currency }) => (
        <a href={ledger}>
          <Money minor={bookedMinor} currency={currency} />
        </a>
      ),
    },
    {
      label: 'Waiting',
      isNumber: true,
      cell: ({ waitingMinor, currency }) => <Money minor={waitingMinor} currency={currency} />,
    },
    part('Pending', 'pending', ({ pendingMinor }) => pendingMinor),
    part('Available', 'available', ({ availableMinor }) => availableMinor),
    part('Reserved', 'reserved', ({ reservedMinor }) => reservedMinor),
    part('Wallet', 'wallet', ({ walletMinor }) => walletMinor),
    {
      label: 'Unexplained',
      isNumber: true,
      cell: ({ unexplainedMinor, currency }) =>
        unexplainedMinor === 0n ? (
          <Badge tone="good">Nothing</Badge>
        ) : (
          <strong>
            <Money minor={unexplainedMinor} currency={currency} />
          </strong>
        ),
    },
  ]
}

function Unexplained({ visit, clearing: { accountId, since } }: Omit<CardProps, 'parts'>) {
  const day = today({ timeZone: visit.zone }, visit.context.clock.now())
  const first = since ? today({ timeZone: visit.zone }, since) : undefined
  return (
    <Card title="Why is something unexplained?">
      <ul class="mb-0">
        <li>
          A person posted to the account by hand.{' '}
          <a href={ledgerHref(visit, accountId, { from: '1900-01-01', to: day })}>See its ledger</a>
          .
        </li>
        {first && (
          <li>
            The service held money before {formatDay(first)}, when automatic posting began. Enter
            that balance as a manual journal, or let posting begin earlier.
          </li>
        )}
        <li>Something moved in the last seconds. Load this page again.</li>
      </ul>
    </Card>
  )
}
