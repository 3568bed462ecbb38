// What the search offers besides objects: the places of the navigation, and common acts. The words
// are what people may type instead of the label.
import { placeGroups } from '../shell/navigation.ts'

export type Command = {
  readonly label: string
  readonly path: string
  readonly words?: string
}

const acts: readonly Command[] = [
  { label: 'New payment link', path: '/payment-links/new', words: 'create make charge request' },
  { label: 'New QR code', path: '/qr-codes/new', words: 'create make print' },
  { label: 'New plan', path: '/subscriptions/plans/new', words: 'create subscription' },
  { label: 'New subscription', path: '/subscriptions/new', words: 'create recurring' },
  { label: 'New recipient', path: '/recipients/new', words: 'add split share partner' },
  { label: 'Pay out', path: '/payouts/new', words: 'withdraw transfer bank request payout' },
  { label: 'New contact', path: '/contacts/new', words: 'create add customer supplier' },
  { label: 'New lead', path: '/leads/new', words: 'create add prospect customer opportunity' },
  { label: 'New item', path: '/items/new', words: 'create add product service' },
  { label: 'New account', path: '/accounts/new', words: 'create add chart' },
  { label: 'New manual journal', path: '/journal/new', words: 'post entry correction' },
  { label: 'Lock the books', path: '/settings/lock-dates', words: 'close period month year' },
  { label: 'Opening balances', path: '/journal/opening-balances', words: 'start move' },
  { label: 'Imports', path: '/settings/imports', words: 'upload csv file migrate move xero' },
  { label: 'Profit and loss', path: '/reports/profit-and-loss', words: 'report income earned' },
  { label: 'Balance sheet', path: '/reports/balance-sheet', words: 'report assets owned' },
  { label: 'Cash flow', path: '/reports/cash-flow', words: 'report statement money bank' },
  { label: 'Tax report', path: '/reports/tax', words: 'report vat gst return filing' },
  { label: 'Trial balance', path: '/reports/trial-balance', words: 'report accounts' },
  { label: 'Aged receivables', path: '/reports/aged-receivables', words: 'report overdue owed' },
  { label: 'Aged payables', path: '/reports/aged-payables', words: 'report owed suppliers' },
  { label: 'General ledger', path: '/reports/general-ledger', words: 'report account lines' },
  { label: 'API keys', path: '/developers/keys', words: 'token secret' },
  { label: 'New API key', path: '/developers/keys/new', words: 'create token secret' },
  { label: 'Events', path: '/developers/events', words: 'webhooks json log' },
  { label: 'API requests', path: '/developers/requests', words: 'log calls errors' },
  { label: 'Verify the business', path: '/settings/verification', words: 'identity kyc' },
  { label: 'Change a threshold', path: '/settings/thresholds/new', words: 'limit approval' },
  { label: 'Invite a person', path: '/settings/invitations/new', words: 'team add member user' },
  { label: 'Business details', path: '/settings/business', words: 'address legal name time zone' },
  { label: 'Notifications', path: '/settings/notifications', words: 'mails' },
  { label: 'Fees', path: '/settings/fees', words: 'price cost' },
  { label: 'Taxes', path: '/settings/taxes', words: 'vat gst withholding tax code settings' },
  { label: 'New tax', path: '/settings/taxes/new', words: 'create add vat rate' },
  { label: 'Currencies and rates', path: '/settings/currencies', words: 'exchange foreign fx' },
  { label: 'Enter an exchange rate', path: '/settings/currencies/rates/new', words: 'fx set' },
  { label: 'Revalue foreign balances', path: '/settings/currencies/revalue', words: 'fx gain' },
  { label: 'Document numbers', path: '/settings/numbers', words: 'invoice number pattern series' },
  { label: 'Approval limits', path: '/settings/approval-limits', words: 'approve documents rules' },
  { label: 'Default accounts and taxes', path: '/settings/defaults', words: 'lines settings' },
  { label: 'Automatic booking', path: '/settings/service-money', words: 'clearing waiting retry' },
  { label: 'Renumber accounts', path: '/accounts/grid', words: 'chart codes names many' },
  { label: 'Audit log', path: '/settings/audit-log', words: 'history who did what' },
  { label: 'My account', path: '/account', words: 'profile password sessions second factor' },
]

const places: readonly Command[] = placeGroups.flatMap((group) => group.places)

export const commands: readonly Command[] = [...places, ...acts]

// Those in which every typed word begins a word of the label or of the other words.
export function matchingCommands(offered: readonly Command[], text: string): Command[] {
  const typed = wordsOf(text)
  return offered.filter(({ label, words = '' }) => {
    const known = wordsOf(`${label} ${words}`)
    return typed.every((word) => known.some((one) => one.startsWith(word)))
  })
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean)
}
