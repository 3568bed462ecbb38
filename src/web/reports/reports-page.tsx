// The reports, and what each of them answers.
import { reportProfitAndLoss } from '../../books/reports/get-profit-and-loss.ts'
import { PageHeader } from '../components/page-header.tsx'
import { serviceMoneyPath } from '../service-money/service-money-text.ts'
import { definePage } from '../shell/define-page.ts'
import { reportsPath } from './report-frame.tsx'

const reports = [
  ['profit-and-loss', 'Profit and loss', 'What you earned and spent in a period.'],
  ['balance-sheet', 'Balance sheet', 'What you own and owe on a day.'],
  ['cash-flow', 'Cash flow', 'Where your money came from and where it went.'],
  ['tax', 'Tax report', 'Tax on sales and purchases of a period, and what you owe.'],
  ['trial-balance', 'Trial balance', 'The balance of every account, for your accountant.'],
  ['aged-receivables', 'Aged receivables', 'Which customers owe you, and since when.'],
  ['aged-payables', 'Aged payables', 'Whom you owe, and since when.'],
  ['general-ledger', 'General ledger', 'Every line of an account, with its balance.'],
] as const

export const reportsPages = definePage({
  path: reportsPath,
  operation: reportProfitAndLoss,
  async show(visit) {
    return {
      title: 'Reports',
      content: (
        <>
          <PageHeader
            title="Reports"
            lead="Open any figure to see the entries and documents that make it."
          />
          <ul class="setting-list">
            {reports.map(([name, label, about]) => (
              <li key={name}>
                <a class="card setting" href={visit.href(`${reportsPath}/${name}`)}>
                  <strong>{label}</strong>
                  <span class="quiet">{about}</span>
                </a>
              </li>
            ))}
            <li>
              <a class="card setting" href={visit.href(serviceMoneyPath)}>
                <strong>Service money</strong>
                <span class="quiet">
                  Which payment settled which invoice, and what the clearing account holds.
                </span>
              </a>
            </li>
          </ul>
        </>
      ),
    }
  },
})
