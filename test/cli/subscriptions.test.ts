// Plans and subscriptions: created and cancelled by an operator.
import { beforeAll, describe, expect, it } from 'vitest'
import { type Installation, installationOn, keyOf, newBusiness } from '../support/cli.ts'
import { createDatabase } from '../support/database.ts'

let at: Installation
let business: string

beforeAll(async () => {
  at = installationOn(await createDatabase(), keyOf(1))
  business = (await at.json(...newBusiness)).business_id
  return () => at.database.drop()
})

const plan = (...args: string[]) => [
  ...['plans', 'create', '--business', business, '--name', 'Gold', '--currency', 'NGN'],
  ...['--amount', '1500.50', '--every', 'month', ...args],
]

describe('a plan', () => {
  it('is made with its interval and time zone, and listed', async () => {
    const made = await at.json(...plan('--count', '3', '--time-zone', 'Africa/Lagos'))
    expect(made).toMatchObject({
      name: 'Gold',
      currency: 'NGN',
      amount_minor: '150050',
      interval_unit: 'month',
      interval_count: 3,
      time_zone: 'Africa/Lagos',
    })
    const listed = await at.cli('plans', '--business', business)
    expect(listed.stdout).toContain(`${made.id}  Gold, NGN 1500.50 every 3 months (Africa/Lagos)`)
    const { stdout } = await at.cli('plans', '--business', business, '--test')
    expect(stdout).toContain('None yet')
  })

  const mistakes = [
    ['an interval that there is not', ['--every', 'fortnight']],
    ['a currency that the provider does not take', ['--currency', 'ISK']],
  ] as const
  it.each(mistakes)('is refused with %s', async (_name, args) => {
    const refused = await at.cli(...plan(...args))
    expect(refused.status).toBe(64)
    expect(refused.stderr.trim().split('\n')).toHaveLength(1)
  })
})

describe('a subscription', () => {
  const create = async (...args: string[]) => {
    const { id } = await at.json(...plan())
    return at.cli('subscriptions', 'create', '--business', business, '--plan', id, ...args)
  }

  it('is made with the page on which its payer pays, and cancelled', async () => {
    const { stdout } = await create('--email', 'payer@example.com', '--name', 'Ada Example')
    const [, id = ''] = /^Subscription (\S+)\. Payment page: https:\S+\/pay\/s\//.exec(stdout) ?? []
    const [shown] = await at.json('subscriptions', '--business', business)
    expect(shown).toMatchObject({ id, status: 'incomplete', payer_name: 'Ada Example' })
    expect(shown).toMatchObject({ card_saved: false })
    expect(shown).not.toHaveProperty('card_sealed')
    const cancel = ['subscriptions', 'cancel', '--business', business, '--subscription', id]
    expect((await at.cli(...cancel, '--at-period-end')).stdout).toBe('Cancelled.\n')
    const listed = await at.cli('subscriptions', '--business', business)
    expect(listed.stdout).toContain(`${id}  cancelled   payer@example.com\n`)
  })

  it.each([
    ['renews', { status: 'active', cancelAtPeriodEnd: false }],
    ['ends', { status: 'active', cancelAtPeriodEnd: true }],
    ['retried', { status: 'past_due', cancelAtPeriodEnd: false }],
  ])('is listed with when it %s', async (what, state) => {
    const { stdout } = await create('--email', 'payer@example.com')
    const [, id = ''] = /^Subscription (\S+)\./.exec(stdout) ?? []
    const { sql } = at.database
    // As after a first charge, for which a provider would have to be there.
    const changes = { ...state, anchorDay: '2026-01-31', nextAt: new Date('2099-02-28') }
    await sql`
      update merchant.subscriptions
      set ${sql(changes)}
      where id = ${id}`
    const listed = await at.cli('subscriptions', '--business', business)
    const line = listed.stdout.split('\n').find((one) => one.startsWith(id))
    expect(line).toBe(
      `${id}  ${state.status.padEnd(10)}  payer@example.com  ${what} 2099-02-28T00:00:00.000Z`,
    )
    const shown = await at.json('subscriptions', '--business', business)
    expect(shown.find((one: { id: string }) => one.id === id)).toMatchObject({
      cancel_at_period_end: state.cancelAtPeriodEnd,
    })
  })

  it('is refused without an e-mail address, and with a plan that there is not', async () => {
    expect((await create('--email', 'no-one')).status).toBe(64)
    const unknown = ['--plan', business, '--email', 'payer@example.com']
    const refused = await create(...unknown)
    expect([refused.status, refused.stderr]).toEqual([1, 'No such plan.\n'])
  })

  it('that there is not cannot be cancelled', async () => {
    const args = ['subscriptions', 'cancel', '--business', business, '--subscription']
    expect((await at.cli(...args, business)).stderr).toBe('No such subscription.\n')
    expect((await at.cli(...args, 'x')).status).toBe(64)
  })
})
