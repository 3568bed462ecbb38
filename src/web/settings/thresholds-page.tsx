// The amounts above which a second person has to approve, as they are in force.
import {
  type DefaultThreshold,
  listThresholds,
  type Thresholds,
} from '../../merchant/approvals/list-thresholds.ts'
import { requestThreshold } from '../../merchant/approvals/request-threshold.ts'
import { initialAmount } from '../components/amount-field.ts'
import { Money } from '../components/money.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Table } from '../components/table.tsx'
import { thresholdLabels } from '../components/threshold-labels.ts'
import { definePage } from '../shell/define-page.ts'

export const thresholdsPages = definePage({
  path: '/settings/thresholds',
  operation: listThresholds,
  async show(visit) {
    const thresholds = await visit.run(listThresholds, {})
    return {
      title: 'Approval thresholds',
      content: (
        <>
          <PageHeader
            title="Approval thresholds"
            lead="Above these amounts a second person has to agree. A currency without a threshold always needs one."
            back={{ href: visit.href('/settings'), text: 'Settings' }}
            actions={
              visit.may(requestThreshold) && (
                <a class="btn btn-primary" href={visit.href('/settings/thresholds/new')}>
                  Set a threshold
                </a>
              )
            }
          />
          <Table
            caption="Approval thresholds"
            rows={inForce(thresholds)}
            keyOf={({ operation, currency }) => `${operation}-${currency}`}
            {...(visit.may(requestThreshold) && {
              hrefOf: ({ operation, currency, amountMinor }: InForce) =>
                visit.href('/settings/thresholds/new', {
                  operation,
                  currency,
                  amountMinor: initialAmount(amountMinor, currency),
                }),
            })}
            columns={[
              { label: 'What', cell: ({ operation }) => thresholdLabels[operation] },
              { label: 'Set by', cell: ({ isOwn }) => (isOwn ? 'Your business' : 'Default') },
              {
                label: 'Amount',
                isNumber: true,
                cell: ({ amountMinor, currency }) => (
                  <Money minor={amountMinor} currency={currency} />
                ),
              },
            ]}
          />
        </>
      ),
    }
  },
})

type InForce = ReturnType<typeof inForce>[number]

function inForce({ own, defaults }: Thresholds) {
  const isUsed = ({ isReplaced }: DefaultThreshold) => !isReplaced
  return [
    ...own.map((one) => ({ ...one, isOwn: true })),
    ...defaults.filter(isUsed).map((one) => ({ ...one, isOwn: false })),
  ]
}
