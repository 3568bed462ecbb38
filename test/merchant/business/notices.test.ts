// Which facts of the merchant service people are told about.
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Tenant } from '../../../src/kernel/basics/tenant.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { recordDiscrepancy } from '../../../src/merchant/discrepancies/record-discrepancy.ts'
import { setKycStatus } from '../../../src/merchant/verification/set-kyc-status.ts'
import { manualClock } from '../../support/clock.ts'
import { payer } from '../../support/payouts.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld({ clock: manualClock() })

async function told({ businessId }: Tenant): Promise<string[]> {
  const rows = await world().database.sql<{ subject: string }[]>`
    select subject
    from kernel.notices
    where business_id = ${businessId}
      and kind <> 'bank_account'
    order by created_at, id`
  return rows.map(({ subject }) => subject)
}

it('a payout that waits, and one that fails', async () => {
  const shop = await payer(world(), { thresholdMinor: 50_000n })
  await shop.payOut({ amount: 600 })
  await world().simulator.rule(shop.tenant, {
    operation: 'POST /transfers',
    effect: 'refuse',
    status: 400,
    count: 1,
  })
  await shop.payOut({ amount: 100 })
  expect(await told(shop.tenant)).toEqual([
    'Please decide: payout of NGN 600.00',
    'The payout of NGN 100.00 failed',
  ])
})

it('discrepancies, once an hour', async () => {
  const { tenant } = await payer(world())
  const { context, database } = world()
  for (const objectId of [randomUUID(), randomUUID()]) {
    const found = { cause: 'amount_differs', objectKind: 'payment', objectId, detail: {} }
    const createdAt = context.clock.now()
    await database.transaction((tx) =>
      recordDiscrepancy(tx, context, tenant, { id: randomUUID(), ...found, createdAt }),
    )
  }
  expect(await told(tenant)).toEqual(['A difference with the payment provider'])
})

it('the decision about the verification', async () => {
  const { tenant } = await payer(world())
  const operator = { kind: 'system', name: 'test', ...tenant } as const
  const decision = { status: 'rejected', reason: 'No documents' } as const
  await runOperation(setKycStatus, world().context, operator, decision)
  expect(await told(tenant)).toEqual(['Your verification was rejected'])
})
