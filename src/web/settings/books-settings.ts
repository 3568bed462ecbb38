// What can be set about the books, in the index of the settings.
import { listChart } from '../../books/accounts/list-chart.ts'
import { listCurrencies } from '../../books/currencies/list-currencies.ts'
import { listApprovalLimits } from '../../books/documents/list-approval-limits.ts'
import { listImports } from '../../books/imports/list-imports.ts'
import { getReminders } from '../../books/reminders/get-reminders.ts'
import { getServiceMoney } from '../../books/service-money/get-service-money.ts'
import { listNumberPatterns } from '../../books/settings/list-number-patterns.ts'
import { setLockDates } from '../../books/settings/set-lock-dates.ts'
import { updateOrganisation } from '../../books/settings/update-organisation.ts'
import { getMonthlyStatements } from '../../books/statements/monthly/get-monthly-statements.ts'
import { listTaxCodes } from '../../books/taxes/list-tax-codes.ts'
import type { Operation } from '../../kernel/operations/operation.ts'

export type Setting = {
  readonly label: string
  readonly path: string
  readonly text: string
  // Of the page.
  readonly operation: Pick<Operation<never>, 'scopes' | 'roles' | 'peopleOnly'>
}

export const booksSettings: Setting[] = [
  {
    label: 'How the books are kept',
    path: '/settings/books',
    text: 'Fiscal year, days to pay, rounding and approval of documents.',
    operation: updateOrganisation,
  },
  {
    label: 'Document numbers',
    path: '/settings/numbers',
    text: 'The patterns of invoice numbers and others.',
    operation: listNumberPatterns,
  },
  {
    label: 'Approval of documents',
    path: '/settings/approval-limits',
    text: 'Who approves, and up to which amount.',
    operation: listApprovalLimits,
  },
  {
    label: 'Reminders',
    path: '/settings/reminders',
    text: 'When customers are reminded of open invoices.',
    operation: getReminders,
  },
  {
    label: 'Monthly statements',
    path: '/settings/monthly-statements',
    text: 'Whether customers get a statement by mail each month.',
    operation: getMonthlyStatements,
  },
  {
    label: 'Default accounts and taxes',
    path: '/settings/defaults',
    text: 'For lines without an account or a tax.',
    operation: updateOrganisation,
  },
  {
    label: 'Automatic booking',
    path: '/settings/service-money',
    text: 'How the money of the payment service is posted, and what waits.',
    operation: getServiceMoney,
  },
  {
    label: 'Lock dates',
    path: '/settings/lock-dates',
    text: 'Up to which day the books are closed.',
    operation: setLockDates,
  },
  {
    label: 'Accounts',
    path: '/accounts',
    text: 'The chart of accounts.',
    operation: listChart,
  },
  {
    label: 'Taxes',
    path: '/settings/taxes',
    text: 'What you charge and pay, in components.',
    operation: listTaxCodes,
  },
  {
    label: 'Currencies and rates',
    path: '/settings/currencies',
    text: 'Foreign currencies, their rates and revaluation.',
    operation: listCurrencies,
  },
  {
    label: 'Imports',
    path: '/settings/imports',
    text: 'Contacts, balances, invoices and more from files of another program.',
    operation: listImports,
  },
]
