// The lines of one account in a period, with the balance after each. Every figure of the other
// reports leads here, and every line leads to its journal entry.
import { listAccounts } from '../../books/accounts/list-accounts.ts'
import { firstBookDay } from '../../books/input/day-input.ts'
import { reportGeneralLedger } from '../../books/reports/list-general-ledger.ts'
import type { Period } from '../../books/reports/report-days.ts'
import type { Decimal } from '../../kernel/money/decimal.ts'
import { Day, formatDay } from '../components/day.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Pager, Table } from '../components/table.tsx'
import { definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { dayOf, periodText, ReportDays, readCalendar, reportsPath } from './report-frame.tsx'
import { FigureText } from './statement.tsx'

export const ledgerPath = `${reportsPath}/general-ledger`
const path = ledgerPath

// As recorded on the same day as the report that leads here.
const recordedOn = (visit: Visit) => ({ recorded_on: dayOf(visit, 'recorded_on') })

export function ledgerHref(visit: Visit, account: string, { from, to }: Period): string {
  return visit.href(`${path}/${account}`, { from, to, ...recordedOn(visit) })
}

// All lines until a day make a balance.
export function balanceHref(visit: Visit, account: string, until: string): string {
  return visit.href(`${path}/${account}`, { until, ...recordedOn(visit) })
}

const accountsPage = definePage({
  path,
  operation: listAccounts,
  async show(visit) {
    const accounts = await visit.run(listAccounts, {})
    return {
      title: 'General ledger',
      content: (
        <>
          <PageHeader
            back={{ href: visit.href(reportsPath), text: 'Reports' }}
            title="General ledger"
            lead="Choose an account to see its lines with the balance after each."
          />
          <Table
            caption="Accounts"
            rows={accounts}
            keyOf={({ id }) => id}
            hrefOf={({ id }) => visit.href(`${path}/${id}`)}
            columns={[
              { label: 'Account', cell: ({ code, name }) => `${code} ${name}` },
              { label: 'Type', cell: ({ type }) => type },
            ]}
          />
        </>
      ),
    }
  },
})

// What the address asks for.
export function wantedLines(visit: Visit) {
  const until = dayOf(visit, 'until')
  return {
    accountId: visit.param('account'),
    from: until ? firstBookDay : dayOf(visit, 'from'),
    to: until ?? dayOf(visit, 'to'),
    recordedOn: dayOf(visit, 'recorded_on'),
  }
}

export function ledgerLead(visit: Visit, report: Period): string {
  const until = dayOf(visit, 'until')
  return until ? `Until ${formatDay(until)}` : periodText(report)
}

const ledgerPage = definePage({
  path: `${path}/:account`,
  operation: reportGeneralLedger,
  async show(visit) {
    const accountId = visit.param('account')
    const after = visit.query.get('after') || undefined
    const until = dayOf(visit, 'until')
    const recorded = recordedOn(visit)
    const [report, { periods }] = await Promise.all([
      visit.run(reportGeneralLedger, { ...wantedLines(visit), after }),
      readCalendar(visit),
    ])
    const { from, to, data } = report
    const own = `${path}/${accountId}`
    const days = until ? { until, ...recorded } : { from, to, ...recorded }
    const { account, currency, next } = data
    return {
      title: `${account.code} ${account.name}`,
      content: (
        <>
          <PageHeader
            back={{ href: visit.href(path), text: 'General ledger' }}
            title={`${account.code} ${account.name}`}
            lead={`${ledgerLead(visit, report)}, in ${currency}`}
            actions={
              <>
                <a class="btn" href={visit.href(`${own}/pdf`, days)} data-turbo="false">
                  Download PDF
                </a>
                <a class="btn" href={visit.href(`${own}/csv`, days)} data-turbo="false">
                  Download CSV
                </a>
              </>
            }
          />
          <ReportDays
            visit={visit}
            path={own}
            days={{ from: until ? '' : from, to }}
            choices={periods}
            recordedOn={recorded.recorded_on ?? ''}
          />
          <LedgerTable visit={visit} data={data} />
          <Pager
            firstHref={after ? visit.href(own, days) : undefined}
            nextHref={next ? visit.href(own, { ...days, after: next }) : undefined}
            firstLabel="From the start"
            nextLabel="Next lines"
          />
        </>
      ),
    }
  },
})

export const generalLedgerPages = [...accountsPage, ...ledgerPage]

type Data = Awaited<ReturnType<typeof reportGeneralLedger.run>>['data']
type LedgerRow = Data['lines'][number]

function LedgerTable({ visit, data }: { visit: Visit; data: Data }) {
  const figure = (value: Decimal, isShown = true) =>
    isShown ? <FigureText of={value} currency={data.currency} /> : ''
  const isZero = ({ digits }: Decimal) => digits === 0n
  return (
    <>
      <p class="ledger-ends">
        Opening balance <strong>{figure(data.opening)}</strong> · Closing balance{' '}
        <strong>{figure(data.closing)}</strong>
      </p>
      <Table<LedgerRow>
        caption="Lines of the account"
        rows={data.lines}
        keyOf={({ sequence, date, description }) => `${sequence} ${date} ${description}`}
        hrefOf={({ sequence }) => visit.href(`/journal/${sequence}`)}
        columns={[
          { label: 'Entry', cell: ({ sequence }) => sequence.toString() },
          { label: 'Date', cell: ({ date }) => <Day of={date} /> },
          { label: 'Description', cell: ({ description }) => description },
          {
            label: 'Debit',
            isNumber: true,
            cell: ({ debit }) => figure(debit, !isZero(debit)),
          },
          {
            label: 'Credit',
            isNumber: true,
            cell: ({ credit }) => figure(credit, !isZero(credit)),
          },
          { label: 'Balance', isNumber: true, cell: ({ balance }) => figure(balance) },
        ]}
      />
    </>
  )
}
