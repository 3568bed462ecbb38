// What people see while the outcome of a payout or refund is unknown: at the terminal, and when the
// service starts.
import { beforeEach, describe, expect, it } from 'vitest'
import { connect } from '../../src/kernel/db/database.ts'
import { resolvePayoutsSchedule } from '../../src/merchant/payouts/resolve-payouts.ts'
import { reportUnknownOutcomes } from '../../src/start/report-unknown-outcomes.ts'
import { paidPayment } from '../merchant/refunds/paid-payment.ts'
import { keyOf, runCli } from '../support/cli.ts'
import { manualClock } from '../support/clock.ts'
import { type Payer, payer } from '../support/payouts.ts'
import { startService } from '../support/processes.ts'
import { secretsKeyOf } from '../support/secrets-key.ts'
import { useWorld } from '../support/world.ts'

const clock = manualClock()
const world = useWorld({ clock, secretsKey: secretsKeyOf(1) })
const env = () => ({
  DATABASE_URL: world().database.url,
  PUBLIC_URL: 'https://pay.example.com',
  SECRETS_KEY: keyOf(1),
})

let one: Payer

beforeEach(async () => {
  one = await payer(world())
})

const rule = (wanted: Record<string, unknown>) =>
  world().simulator.rule(one.tenant, { count: 1, ...wanted })

async function outcomes(...args: string[]) {
  const { businessId } = one.tenant
  const { status, stdout } = await runCli(env(), 'outcomes', '--business', businessId, ...args)
  expect(status).toBe(0)
  return stdout
}

async function lostPayout(effect: string): Promise<string> {
  await rule({ operation: 'POST /transfers', effect })
  const { status, body } = await one.payOut()
  expect([status, body.status]).toEqual([200, 'processing'])
  return body.payoutId
}

describe('cli outcomes', () => {
  it('says when everything has its answer', async () => {
    await one.payOut()
    expect(await outcomes()).toBe('The provider has answered every payout and refund.\n')
  })

  it('tells of a payout without an answer when the provider is asked, and what follows', async () => {
    const id = await lostPayout('drop')
    const printed = await outcomes()
    expect(printed).toContain(`payout ${id}  NGN 1000.00  live`)
    expect(printed).toContain('sent 2026-03-01T12:00:00Z, no answer yet')
    expect(printed).toContain('asking the provider again at 2026-03-01T12:01:00Z')
    expect(printed).toContain(
      'if the provider does not know it by 2026-03-01T12:10:00Z, it is sent again',
    )
    expect(printed).toContain('You need not do anything')
    expect(JSON.parse(await outcomes('--json'))).toMatchObject([
      { kind: 'payout', id, amount_minor: '100000', sent_again_from: '2026-03-01T12:10:00.000Z' },
    ])
  })

  it('tells of a refund that is never sent again and when it fails', async () => {
    const payment = await paidPayment(world(), one.tenant)
    await rule({ operation: 'POST /transactions/:id/refund', effect: 'refuse', status: 500 })
    const path = `/merchant/api/v1/payments/${payment.id}/refund`
    expect(
      (await world().call('POST', path, { key: one.key, body: { amount: 70_000 } })).status,
    ).toBe(502)
    const [told] = JSON.parse(await outcomes('--json'))
    expect(told).toMatchObject({ kind: 'refund', amount_minor: '70000', environment: 'live' })
    expect(told.sent_again_from).toBeNull()
    const failsAtMs = clock.now().getTime() + 600_000 + 24 * 3_600_000
    expect(told.fails_from).toBe(new Date(failsAtMs).toISOString())
  })

  it('tells no more of what has its answer', async () => {
    await lostPayout('drop_after')
    clock.advance(60_000)
    await resolvePayoutsSchedule.run(world().context, new AbortController().signal)
    expect(await outcomes()).toContain('has answered')
  })
})

it('is told by a service that starts', async () => {
  await lostPayout('drop')
  // Without the worker, which would find out.
  const service = await startService({ env: env(), args: ['api'] })
  await service.until('payouts or refunds have an unknown outcome; asking the provider')
  expect(service.stdout()).toMatch(/"level":"warn".*"payouts":\d+,"refunds":\d+,"until":"2026-/)
})

it('are not told of while the database is unavailable, and that ends nothing', async () => {
  const database = connect({ url: 'postgres://no-one@127.0.0.1:1/none', poolSize: 1 })
  expect(await reportUnknownOutcomes({ ...world().context, database })).toEqual([])
  await database.close()
})
