// Every page of the reports.
import type { AppRoute } from '../shell/define-page.ts'
import { agedPages } from './aged-page.tsx'
import { balanceSheetPages } from './balance-sheet-page.tsx'
import { cashFlowPages } from './cash-flow-page.tsx'
import { generalLedgerFiles } from './general-ledger-files.ts'
import { generalLedgerPages } from './general-ledger-page.tsx'
import { profitAndLossPages } from './profit-and-loss-page.tsx'
import { reportsPages } from './reports-page.tsx'
import { taxEntriesPages } from './tax-entries-page.tsx'
import { taxReportPages } from './tax-report-page.tsx'
import { trialBalancePages } from './trial-balance-page.tsx'

export const reportRoutes: readonly AppRoute[] = [
  ...reportsPages,
  ...profitAndLossPages,
  ...balanceSheetPages,
  ...cashFlowPages,
  ...taxReportPages,
  ...taxEntriesPages,
  ...trialBalancePages,
  ...agedPages,
  ...generalLedgerPages,
  ...generalLedgerFiles,
]
