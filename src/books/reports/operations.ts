// Every report that people and keys can read.
import { reportAged } from './get-aged-report.ts'
import { reportBalanceSheet } from './get-balance-sheet.ts'
import { reportBalanceSheetByMonth } from './get-balance-sheet-by-month.ts'
import { reportCashFlow } from './get-cash-flow.ts'
import { reportCashFlowByMonth } from './get-cash-flow-by-month.ts'
import { reportProfitAndLoss } from './get-profit-and-loss.ts'
import { reportProfitByMonth } from './get-profit-by-month.ts'
import { getReceivableTotals } from './get-receivable-totals.ts'
import { reportTax } from './get-tax-report.ts'
import { reportTaxByMonth } from './get-tax-report-by-month.ts'
import { reportTrialBalance } from './get-trial-balance.ts'
import { reportGeneralLedger } from './list-general-ledger.ts'
import { listTaxEntries } from './list-tax-entries.ts'

export const reportOperations = [
  reportTrialBalance,
  reportProfitAndLoss,
  reportProfitByMonth,
  reportBalanceSheet,
  reportBalanceSheetByMonth,
  reportAged,
  getReceivableTotals,
  reportGeneralLedger,
  reportCashFlow,
  reportCashFlowByMonth,
  reportTax,
  reportTaxByMonth,
  listTaxEntries,
]
