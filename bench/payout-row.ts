// Paying out into the wallet, which is all of a payout but the provider: the key, the lock of the
// balance, the payout, its entry, its event and its acts. All payouts are of one business and wait
// for the same lock, on both sides.
import { post } from '../src/kernel/ledger/ledger.ts'
import { posting } from '../src/kernel/ledger/posting.ts'
import { setThreshold } from '../src/merchant/approvals/set-threshold.ts'
import { ledgerAccounts } from '../src/merchant/ledger-accounts.ts'
import { loadingConnection } from './data.ts'
import { compare } from './load.ts'
import { contextOf } from './payout-floor.ts'
import { measure, type Row } from './report.ts'
import {
  type Running,
  type RunningService,
  startFloor,
  startService,
  withDirectory,
} from './servers.ts'

const path = '/merchant/api/v1/payouts'
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
  await withDirectory(async (dataDir, defer) => {
    const service = await startService(dataDir)
    defer(service.stop)
    await fund(service)
    const floor = await startFloor(service)
    defer(floor.stop)
    const headers = { authorization: `Bearer ${service.demo.merchant.live_key}` }
    await assertSameAnswer(service, floor, headers)
    const request = { path, headers, varied: ['payout', 1] } as const
    await measure(payoutRow, () => compare(service, floor, request))
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

// A floor that answered something else would be no floor; only the payout itself is another.
async function assertSameAnswer(
  service: Running,
  floor: Running,
  headers: Record<string, string>,
): Promise<void> {
  const [ours, bare] = await Promise.all(
    [service, floor].map(async ({ url, name }) => {
      const response = await fetch(url + path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': name },
        body: JSON.stringify({ amount: 1, currency, destinationType: 'service_account' }),
      })
      const text = await response.text()
      if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`)
      return text.replace(/"payoutId":"[^"]+"/, '')
    }),
  )
  if (ours !== bare) throw new Error(`${path}: the floor answers other bytes: ${bare} not ${ours}`)
}
