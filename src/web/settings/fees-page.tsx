// The fees of the business as they are applied, with an example for each currency.

import { currencyOf } from '../../kernel/money/currency.ts'
import { majorText } from '../../kernel/money/minor-units.ts'
import { Card } from '../../kernel/web/components.tsx'
import { type FeeSchedule, feeOf } from '../../merchant/fees/fee-schedule.ts'
import { listFeeSchedules } from '../../merchant/fees/list-fee-schedules.ts'
import { formatMoney, Money } from '../components/money.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Table } from '../components/table.tsx'
import { definePage } from '../shell/define-page.ts'

export const feesPages = definePage({
  path: '/settings/fees',
  operation: listFeeSchedules,
  async show(visit) {
    const fees = await visit.run(listFeeSchedules, {})
    return {
      title: 'Fees',
      content: (
        <>
          <PageHeader
            title="Fees"
            lead="What is kept of each payment. The fee is fixed when a payment starts."
            back={{ href: visit.href('/settings'), text: 'Settings' }}
          />
          <div class="stack">
            {fees.schedules.length > 0 && (
              <Table
                caption="Fees by currency"
                rows={fees.schedules}
                keyOf={({ currency }) => currency}
                columns={[
                  { label: 'Currency', cell: ({ currency }) => currency },
                  {
                    label: 'Fee',
                    cell: ({ currency, ...fee }) => feeText(fee, currency),
                  },
                  {
                    label: 'Of a payment of',
                    isNumber: true,
                    cell: ({ currency }) => (
                      <Money minor={exampleMinor(currency)} currency={currency} />
                    ),
                  },
                  {
                    label: 'You pay',
                    isNumber: true,
                    cell: ({ currency, ...fee }) => (
                      <Money minor={feeOf(fee, exampleMinor(currency))} currency={currency} />
                    ),
                  },
                ]}
              />
            )}
            <Card title={fees.schedules.length > 0 ? 'All other currencies' : 'All currencies'}>
              <p class="mb-0">
                {percentText(fees.default)} of each payment. Ask the operator of this server about
                other fees.
              </p>
            </Card>
          </div>
        </>
      ),
    }
  },
})

// 1,000 major units of any currency.
function exampleMinor(currency: string): bigint {
  return 1000n * 10n ** BigInt(currencyOf(currency).decimals)
}

function feeText(fee: FeeSchedule, currency: string): string {
  const percent = percentText(fee)
  return fee.fixedMinor === 0n ? percent : `${percent} + ${formatMoney(fee.fixedMinor, currency)}`
}

// 150 basis points are 1.5 %.
function percentText({ basisPoints }: FeeSchedule): string {
  return `${majorText(BigInt(basisPoints), 2).replace(/\.?0+$/, '')} %`
}
