// One payout: where it went, what it is made of, and everything that happened to it.
import { Card } from '../../kernel/web/components.tsx'
import { cancelPayout } from '../../merchant/payouts/cancel-payout.ts'
import {
  getPayoutStory,
  type PayoutContents,
  type PayoutMovement,
  type PayoutStory,
} from '../../merchant/payouts/get-payout-story.ts'
import type { Payout } from '../../merchant/payouts/payout.ts'
import { actorText, actTitle } from '../components/act-text.ts'
import { Facts } from '../components/facts.tsx'
import { Moment } from '../components/moment.tsx'
import { Money } from '../components/money.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Status } from '../components/status.tsx'
import { Table } from '../components/table.tsx'
import { type Happening, Timeline } from '../components/timeline.tsx'
import { definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { payoutDestination } from './payout-destination.ts'

export const payoutPages = definePage({
  path: '/payouts/:id',
  operation: getPayoutStory,
  async show(visit) {
    const story = await visit.run(getPayoutStory, { id: visit.param('id') })
    const { payout, contents } = story
    return {
      title: 'Payout',
      content: (
        <>
          <PageHeader
            back={{ href: visit.href('/payouts'), text: 'Payouts' }}
            title={
              <>
                <Money minor={payout.amountMinor} currency={payout.currency} />{' '}
                <Status of={payout.status} />
              </>
            }
            lead={payoutDestination(payout)}
            actions={
              payout.status === 'pending' &&
              visit.may(cancelPayout) && (
                <a class="btn" href={visit.href(`/payouts/${payout.id}/cancel`)}>
                  Cancel
                </a>
              )
            }
          />
          <div class="split">
            <Details visit={visit} payout={payout} />
            <Card title="Timeline">
              <Timeline happenings={happenings(story)} zone={visit.zone} />
            </Card>
          </div>
          {contents ? (
            <Contents visit={visit} payout={payout} contents={contents} />
          ) : (
            <p class="quiet mt-3">
              What a payout is made of is shown when it is completed. Until then its amount is
              reserved.
            </p>
          )}
        </>
      ),
    }
  },
})

function Details({ visit, payout }: { visit: Visit; payout: Payout }) {
  return (
    <Card title="Details">
      <Facts
        facts={[
          ['To', payoutDestination(payout)],
          payout.failureReason !== null && ['Reason', payout.failureReason],
          payout.approvalId !== null && [
            'Approval',
            <a href={visit.href(`/approvals/${payout.approvalId}`)}>Open the approval</a>,
          ],
          ['Requested', <Moment at={payout.createdAt} zone={visit.zone} />],
          payout.endedAt && ['Ended', <Moment at={payout.endedAt} zone={visit.zone} />],
          payout.providerReference !== null && [
            'Reference at the provider',
            <code>{payout.providerReference}</code>,
          ],
        ]}
      />
    </Card>
  )
}

const kindLabels: Readonly<Record<string, string>> = {
  'charge.settled': 'Payments settled',
  'refund.accepted': 'Refunds',
  'refund.reversed': 'Refunds that failed',
  'chargeback.opened': 'Disputes',
  'chargeback.won': 'Disputes won',
  'wallet.returned': 'Taken from the wallet',
  'payout.reversed': 'Payouts that came back',
}

type ContentsProps = { visit: Visit; payout: Payout; contents: PayoutContents }

function Contents({ visit, payout, contents }: ContentsProps) {
  const { currency } = payout
  const { previous, totals, movements } = contents
  const sumMinor = totals.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
  return (
    <section>
      <h2>Why this number?</h2>
      <p>
        {previous ? (
          <>
            Since the{' '}
            <a href={visit.href(`/payouts/${previous.id}`)}>
              payout before of <Money minor={previous.amountMinor} currency={currency} />
            </a>{' '}
            the available balance
          </>
        ) : (
          'Until this first payout the available balance'
        )}{' '}
        changed by{' '}
        <strong>
          <Money minor={sumMinor} currency={currency} />
        </strong>
        . A payout can take less than that, or money that was left from earlier.
      </p>
      <ul class="sums">
        {totals.map(({ kind, count, amountMinor }) => (
          <li key={kind}>
            {kindLabels[kind] ?? kind} ({count}):{' '}
            <strong>
              <Money minor={amountMinor} currency={currency} />
            </strong>
          </li>
        ))}
      </ul>
      {movements.length > 0 && <Movements {...{ visit, currency, movements }} />}
    </section>
  )
}

type MovementsProps = { visit: Visit; currency: string; movements: readonly PayoutMovement[] }

function Movements({ visit, currency, movements }: MovementsProps) {
  const money = (minor: bigint | null | undefined) =>
    minor === null || minor === undefined ? '–' : <Money minor={minor} currency={currency} />
  const ofCharge = ({ kind, payment }: PayoutMovement) =>
    kind === 'charge.settled' ? payment : undefined
  return (
    <Table
      caption="Movements of the available balance"
      rows={movements}
      keyOf={({ entryId }) => entryId}
      columns={[
        {
          label: 'What',
          cell: ({ kind, payment }) =>
            payment ? (
              <a href={visit.href(`/payments/${payment.paymentId}`)}>
                {movementTitles[kind] ?? kind}
              </a>
            ) : (
              (kindLabels[kind] ?? kind)
            ),
        },
        { label: 'Payer', cell: ({ payment }) => payment?.payerName ?? payment?.payerEmail ?? '–' },
        { label: 'Gross', isNumber: true, cell: (one) => money(ofCharge(one)?.amountMinor) },
        { label: 'Fee', isNumber: true, cell: (one) => money(ofCharge(one)?.feeMinor) },
        { label: 'Balance', isNumber: true, cell: ({ amountMinor }) => money(amountMinor) },
        { label: 'Booked', cell: ({ createdAt }) => <Moment at={createdAt} zone={visit.zone} /> },
      ]}
    />
  )
}

const movementTitles: Readonly<Record<string, string>> = {
  'charge.settled': 'Payment',
  'refund.accepted': 'Refund',
  'refund.reversed': 'Refund failed',
  'chargeback.opened': 'Dispute',
  'chargeback.won': 'Dispute won',
}

function happenings({ payout, acts, lines }: PayoutStory): Happening[] {
  const booked = new Map(
    lines.map(({ entryId, kind, createdAt }) => [entryId, { kind, createdAt }]),
  )
  return [
    ...acts.map((act) => ({ at: act.at, title: actTitle(act), detail: `By ${actorText(act)}` })),
    ...[...booked.values()].map(({ kind, createdAt }) => ({
      at: createdAt,
      title: bookedTitles[kind] ?? `Booked: ${kind}`,
    })),
    ...(payout.sentAt ? [{ at: payout.sentAt, title: 'Sent to the provider' }] : []),
  ]
}

const bookedTitles: Readonly<Record<string, string>> = {
  'payout.completed': 'Completed and booked',
  'payout.reversed': 'Came back and booked',
  'payout.restored': 'Arrived after all',
  'payout.late': 'Arrived after it had failed',
}
