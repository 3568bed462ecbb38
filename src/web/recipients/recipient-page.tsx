// A split recipient: its account, its share, and what it received.

import { addDays } from '../../kernel/basics/calendar.ts'
import { Card } from '../../kernel/web/components.tsx'
import { getRecipient } from '../../merchant/recipients/get-recipient.ts'
import { updateRecipient } from '../../merchant/recipients/update-recipient.ts'
import { getSettlementSummary } from '../../merchant/settlements/get-settlement-summary.ts'
import type { Settlement } from '../../merchant/settlements/settlement.ts'
import type { SettledTotal } from '../../merchant/settlements/settlement-totals.ts'
import { Facts } from '../components/facts.tsx'
import { Moment } from '../components/moment.tsx'
import { Money } from '../components/money.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Status } from '../components/status.tsx'
import { EmptyState, Table } from '../components/table.tsx'
import { definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { recipientStatus } from './recipient-status.ts'

const path = '/recipients'

export const recipientPages = definePage({
  path: `${path}/:id`,
  operation: getRecipient,
  async show(visit) {
    const id = visit.param('id')
    const recipient = await visit.run(getRecipient, { id })
    const today = visit.context.clock.now().toISOString().slice(0, 10)
    const wanted = { splitRecipientId: id, from: addDays(today, -364), to: today }
    const { totals, newest } = await visit.run(getSettlementSummary, wanted)
    return {
      title: recipient.name,
      content: (
        <>
          <PageHeader
            back={{ href: visit.href(path), text: 'Recipients' }}
            title={
              <>
                {recipient.name} <Status of={recipientStatus(recipient)} />
              </>
            }
            actions={
              visit.may(updateRecipient) && (
                <a class="btn" href={visit.href(`${path}/${id}/edit`)}>
                  Change
                </a>
              )
            }
          />
          <div class="stack">
            <Card title="Details">
              <Facts
                facts={[
                  ['Share of each charge', `${recipient.splitPercent} %`],
                  ['Bank', recipient.bankCode],
                  ['Account', `•••• ${recipient.accountEnding}`],
                  recipient.accountName !== null && ['Account holder', recipient.accountName],
                  recipient.mobile !== null && ['Phone', recipient.mobile],
                  ['Your reference', recipient.externalReference],
                  ['Added', <Moment at={recipient.createdAt} zone={visit.zone} />],
                ]}
              />
            </Card>
            {totals.length === 0 ? (
              <EmptyState title="Nothing received yet">
                Shares appear here when the provider has settled a payment of a link or QR code that
                names this recipient.
              </EmptyState>
            ) : (
              <Received visit={visit} totals={totals} newest={newest} />
            )}
          </div>
        </>
      ),
    }
  },
})

type ReceivedProps = {
  visit: Visit
  totals: readonly SettledTotal[]
  newest: readonly Settlement[]
}

function Received({ visit, totals, newest }: ReceivedProps) {
  return (
    <>
      <section>
        <h2>Received in the last 365 days</h2>
        <Table
          caption="Received per currency"
          rows={totals}
          keyOf={({ currency }) => currency}
          columns={[
            { label: 'Currency', cell: ({ currency }) => <strong>{currency}</strong> },
            { label: 'Payments', isNumber: true, cell: ({ count }) => count },
            {
              label: 'Charged',
              isNumber: true,
              cell: ({ grossMinor, currency }) => <Money minor={grossMinor} currency={currency} />,
            },
            {
              label: 'Received',
              isNumber: true,
              cell: ({ splitMinor, currency }) => <Money minor={splitMinor} currency={currency} />,
            },
          ]}
        />
      </section>
      <section>
        <h2>Newest shares</h2>
        <Table
          caption="Shares"
          rows={newest}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => visit.href(`/payments/${id}`)}
          columns={[
            {
              label: 'Share',
              cell: ({ splitMinor, currency }) => (
                <Money minor={splitMinor ?? 0n} currency={currency} />
              ),
            },
            {
              label: 'Of',
              cell: ({ grossMinor, currency }) => <Money minor={grossMinor} currency={currency} />,
            },
            {
              label: 'Settled',
              cell: ({ settledAtUtc }) => <Moment at={new Date(settledAtUtc)} zone={visit.zone} />,
            },
          ]}
        />
      </section>
    </>
  )
}
