// The entries behind one figure of the tax report. Each leads to its journal entry, and from there
// to the document.
import { listTaxEntries } from '../../books/reports/list-tax-entries.ts'
import { taxSections } from '../../books/reports/tax-facts.ts'
import { Day } from '../components/day.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { EmptyState, Pager, Table } from '../components/table.tsx'
import { definePage } from '../shell/define-page.ts'
import { dayOf, periodText } from './report-frame.tsx'
import { FigureText } from './statement.tsx'
import { taxReportPath } from './tax-statement.ts'

const sectionNames = { sales: 'sales', purchases: 'purchases', manual: 'manual journals' } as const

export const taxEntriesPages = definePage({
  path: `${taxReportPath}/:code`,
  operation: listTaxEntries,
  async show(visit) {
    const section = taxSections.find((one) => one === visit.query.get('section'))
    const after = visit.query.get('after') || undefined
    const report = await visit.run(listTaxEntries, {
      taxCodeId: visit.param('code'),
      from: dayOf(visit, 'from'),
      to: dayOf(visit, 'to'),
      recordedOn: dayOf(visit, 'recorded_on'),
      section,
      after,
    })
    const { from, to, data } = report
    const own = { from, to, section, recorded_on: dayOf(visit, 'recorded_on') }
    const path = `${taxReportPath}/${data.tax_code.id}`
    return {
      title: data.tax_code.name,
      content: (
        <>
          <PageHeader
            back={{ href: visit.href(taxReportPath, { from, to }), text: 'Tax report' }}
            title={data.tax_code.name}
            lead={`${section ? `On ${sectionNames[section]}, ` : ''}${periodText(report)}, in ${data.currency}`}
          />
          {data.entries.length === 0 ? (
            <EmptyState title="Nothing in this period">
              No posted document or journal has this tax.
            </EmptyState>
          ) : (
            <Table
              caption="Entries with this tax"
              rows={data.entries}
              keyOf={({ sequence }) => String(sequence)}
              hrefOf={({ sequence }) => visit.href(`/journal/${sequence}`)}
              columns={[
                { label: 'Entry', cell: ({ sequence }) => String(sequence) },
                { label: 'Date', cell: ({ date }) => <Day of={date} /> },
                { label: 'Description', cell: ({ description }) => description },
                {
                  label: 'Net',
                  isNumber: true,
                  cell: ({ net }) => <FigureText of={net} currency={data.currency} />,
                },
                {
                  label: 'Tax',
                  isNumber: true,
                  cell: ({ tax }) => <FigureText of={tax} currency={data.currency} />,
                },
              ]}
            />
          )}
          <Pager
            firstHref={after ? visit.href(path, own) : undefined}
            nextHref={data.next ? visit.href(path, { ...own, after: data.next }) : undefined}
            firstLabel="From the start"
            nextLabel="Next entries"
          />
        </>
      ),
    }
  },
})
