// What was booked for an object, line by line, in words that people use.
import type { PaymentStory } from '../../merchant/payments/get-payment-story.ts'
import { Moment } from './moment.tsx'
import { Money } from './money.tsx'
import { Table } from './table.tsx'

type BookedLine = PaymentStory['lines'][number]

export function LedgerLines({ lines, zone }: { lines: readonly BookedLine[]; zone: string }) {
  if (lines.length === 0) return null
  return (
    <section>
      <h2>Ledger entries</h2>
      <Table
        caption="Ledger entries"
        rows={lines}
        keyOf={({ entryId, position }) => `${entryId}-${position}`}
        columns={[
          {
            label: 'Entry',
            cell: ({ kind, createdAt }) => (
              <span title={kind}>
                {entryTitle(kind)}
                <br />
                <span class="quiet">
                  <Moment at={createdAt} zone={zone} />
                </span>
              </span>
            ),
          },
          {
            label: 'Account',
            cell: ({ account }) => <span title={account}>{accountTitle(account)}</span>,
          },
          { label: 'Debit', isNumber: true, cell: (line) => amountIf(line, line.amountMinor > 0n) },
          {
            label: 'Credit',
            isNumber: true,
            cell: (line) => amountIf(line, line.amountMinor < 0n),
          },
        ]}
      />
    </section>
  )
}

function amountIf({ amountMinor, currency }: BookedLine, isShown: boolean) {
  const minor = amountMinor < 0n ? -amountMinor : amountMinor
  return isShown && <Money minor={minor} currency={currency} />
}

const entryTitles: Readonly<Record<string, string>> = {
  'charge.succeeded': 'Payment collected',
  'charge.settled': 'Payment settled',
  'charge.unmatched': 'Charge that fits no payment',
  'charge.late': 'Charge after the payment had ended',
  'charge.repeated': 'Charged once more',
  'charge.reversed': 'Charge taken back by the provider',
  'charge.restored': 'Charge restored by the provider',
  'refund.accepted': 'Refund',
  'refund.reversed': 'Refund that failed, reversed',
  'chargeback.opened': 'Dispute: money taken',
  'chargeback.won': 'Dispute won: money returned',
  'payout.completed': 'Payout',
  'payout.reversed': 'Payout that came back',
  'payout.restored': 'Payout that arrived after all',
  'payout.late': 'Payout that arrived after it had failed',
  'wallet.returned': 'Taken from the wallet',
  'provider.separated': 'Money of the simulator set apart',
}

// `charge.reversed.2` is the second time.
export function entryTitle(kind: string): string {
  return entryTitles[kind.replace(/\.\d+$/, '')] ?? kind
}

const accountTitles: Readonly<Record<string, string>> = {
  'provider:receivable': 'Provider, not settled yet',
  'provider:balance': 'Balance at the provider',
  'merchant:pending': 'Your pending balance',
  'merchant:available': 'Your available balance',
  'merchant:wallet': 'Your wallet',
  'recipients:owed': 'Owed to recipients',
  'platform:fees': 'Fees',
  'platform:provider_fees': 'Fees of the provider',
  'suspense:unmatched': 'Money not assigned yet',
}

function accountTitle(account: string): string {
  return accountTitles[account] ?? account
}
