// `npm run bench`, or `npm run bench -- <row> ...` for some rows: starts the service and its
// baseline in the same run, and prints the ratio of the two.
import { appPageRows, measureAppPages } from './app-page-rows.ts'
import { booksPageRows, measureBooksPages } from './books-page-rows.ts'
import { editorRow, measureEditor } from './editor-row.ts'
import { httpRows, measureHttp } from './http-rows.ts'
import { invoiceRow, measureInvoices } from './invoice-row.ts'
import { issueRow, measureIssuing } from './issue-row.ts'
import { measurePages, pageRow } from './page-row.ts'
import { measurePayouts, payoutRow } from './payout-row.ts'
import { rounds } from './report.ts'
import { measureReports, reportRows } from './report-rows.ts'
import { measureSettling, settleRows } from './settle-rows.ts'
import { measureSettlements, settlementRows } from './settlements.ts'
import { deliveriesRow, hungRow, measureDeliveries, measureHungEndpoints } from './webhook-rows.ts'

const wanted = process.argv.slice(2)
const single = [editorRow, payoutRow, invoiceRow, issueRow, pageRow, deliveriesRow, hungRow]
const grouped = [
  ...httpRows,
  ...settleRows,
  ...settlementRows,
  ...reportRows,
  ...appPageRows,
  ...booksPageRows,
]
const names = [...grouped, ...single].map(({ name }) => name)
const unknown = wanted.filter((name) => !names.includes(name))
if (unknown.length > 0) {
  console.error(`No such row: ${unknown.join(', ')}. Rows: ${names.join(', ')}.`)
  process.exit(2)
}
const isWanted = ({ name }: { name: string }) => wanted.length === 0 || wanted.includes(name)

console.log(`Medians of ${rounds} rounds in which both sides take turns (and their range).\n`)
const overHttp = httpRows.filter(isWanted)
if (overHttp.length > 0) await measureHttp(overHttp)
const settling = settleRows.filter(isWanted)
if (settling.length > 0) await measureSettling(settling)
const settlements = settlementRows.filter(isWanted)
if (settlements.length > 0) await measureSettlements(settlements)
const reports = reportRows.filter(isWanted)
if (reports.length > 0) await measureReports(reports)
const appPages = appPageRows.filter(isWanted)
if (appPages.length > 0) await measureAppPages(appPages)
const booksPages = booksPageRows.filter(isWanted)
if (booksPages.length > 0) await measureBooksPages(booksPages)
if (isWanted(editorRow)) await measureEditor()
if (isWanted(payoutRow)) await measurePayouts()
if (isWanted(invoiceRow)) await measureInvoices()
if (isWanted(issueRow)) await measureIssuing()
if (isWanted(pageRow)) await measurePages()
if (isWanted(deliveriesRow)) await measureDeliveries()
if (isWanted(hungRow)) await measureHungEndpoints()
