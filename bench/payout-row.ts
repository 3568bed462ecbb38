// Payouts to the wallet, which is everything of a payout except the provider: the idempotency key,
// the lock of the balance, the payout, its entry, its event and its audit rows. All payouts are of
// one business and wait for the same lock, on both sides.
import { post } from '../src/kernel/ledger/ledger.ts'
import { posting } from '../src/kernel/ledger/posting.ts'
import { setThreshold } from '../src/merchant/approvals/set-threshold.ts'
import { ledgerAccounts } from '../src/merchant/ledger-accounts.ts'
import { loadingConnection } from './data.ts'
import { contextOf } from './payout-baseline.ts'
import type { Row } from './report.ts'
import type { RunningService } from './servers.ts'
import { measureWrites } from './write-row.ts'

const currency = 'NGN'
// Enough for any number of payouts of 1.00.
const availableMinor = 1_000_000_000_000n

export const payoutRow: Row = {
  name: 'payout',
  title: 'POST /payouts into the wallet, each with its idempotency key, against the same SQL',
  goal: { atLeast: 0.5 },
  unit: 'requests a second',
}

export async function measurePayouts(): Promise<void> {
  await measureWrites(payoutRow, {
    path: '/merchant/api/v1/payouts',
    varied: 'payout',
    body: { amount: 1, currency, destinationType: 'service_account' },
    status: 200,
    differing: /"payoutId":"[^"]+"/g,
    keyOf: ({ demo }) => demo.merchant.live_key,
    prepare: fund,
  })
}

async function fund({ dataDir, demo }: RunningService): Promise<void> {
  const database = loadingConnection(dataDir)
  const context = contextOf(database)
  const tenant = { businessId: demo.business_id, environment: 'live' } as const
  const { providerBalance, merchantAvailable } = ledgerAccounts
  const lines = [
    { account: providerBalance, currency, amountMinor: availableMinor },
    { account: merchantAvailable, currency, amountMinor: -availableMinor },
  ]
  const threshold = { operation: 'payout', currency, amountMinor: availableMinor } as const
  const actor = { kind: 'system', name: 'bench', ...tenant } as const
  await database.transaction(async (tx) => {
    await post(tx, context, tenant, posting({ kind: 'opening.balance', lines }))
    await setThreshold(tx, context, actor, threshold)
  })
  await database.close()
}
