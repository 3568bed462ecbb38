// What the payers' pages say: after a refund or an overpayment, when a link is dead, and when a
// payer tries again.
import { afterEach, describe, expect, it } from 'vitest'
import { setThreshold } from '../../../src/merchant/approvals/set-threshold.ts'
import { payerReason } from '../../../src/merchant/checkout/payer-reason.ts'
import type { Payment } from '../../../src/merchant/payments/payment.ts'
import { resolveRefundsSchedule } from '../../../src/merchant/refunds/resolve-refunds.ts'
import { english } from '../../../src/payer-texts/english.ts'
import { manualClock } from '../../support/clock.ts'
import { expectInvariants } from '../../support/invariants.ts'
import { lift, pause } from '../../support/pauses.ts'
import {
  comeBack,
  newCode,
  newLink,
  paidPayment,
  payment,
  pressPay,
  type Shop,
  shop,
} from '../../support/payments.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld({ clock: manualClock() })

afterEach(() => expectInvariants(world().database))

const view = (path: string, headers = {}) => world().call('GET', path, { headers })

async function refund({ key, tenant, id }: Shop & { readonly id: string }, amount?: number) {
  const actor = { ...tenant, kind: 'system', name: 'test' } as const
  const threshold = { operation: 'refund', currency: 'NGN', amountMinor: 1_000_000_000n } as const
  await world().database.transaction((tx) => setThreshold(tx, world().context, actor, threshold))
  const body = amount === undefined ? {} : { amount }
  const path = `/merchant/api/v1/payments/${id}/refund`
  const { status } = await world().call('POST', path, { key, body })
  expect(status).toBe(200)
}

describe('the return page', () => {
  it('says that a payment was refunded, partly or wholly', async () => {
    const begun = await paidPayment(world())
    await refund(begun, 30_000)
    const partly = (await comeBack(world(), begun.reference)).text
    expect(partly).toContain('Paid, and partly refunded')
    expect(partly).toContain('Corner shop refunded ₦300.00 of it.')
    expect(partly).not.toContain('Thank you')
    await refund(begun)
    const wholly = (await comeBack(world(), begun.reference)).text
    expect(wholly).toContain('Your payment was refunded')
    expect(wholly).toContain('Corner shop refunded the whole amount.')
    expect(wholly).not.toMatch(/Thank you|<h1>Paid/)
  })

  it('tells a payer who paid too much that the rest goes back', async () => {
    const { tenant, reference } = await payment(world())
    const rule = { operation: 'charge', effect: 'overpay', difference: '150' }
    await world().simulator.rule(tenant, rule)
    await world().simulator.pay(tenant, reference)
    const { text } = await comeBack(world(), reference)
    expect(text).toContain('Paid. Thank you!')
    expect(text).toContain('You paid ₦150.00 more than was due. It is being refunded')
  })

  it('tells a payer whose excess is too small to go back whom to ask', async () => {
    const { tenant, reference } = await payment(world())
    const rule = { operation: 'charge', effect: 'overpay', difference: '5' }
    await world().simulator.rule(tenant, rule)
    await world().simulator.pay(tenant, reference)
    await comeBack(world(), reference)
    await resolveRefundsSchedule.run(world().context, new AbortController().signal)
    const { text } = await comeBack(world(), reference)
    expect(text).toContain('You paid ₦5.00 more than was due. It could not be refunded yet.')
    expect(text).toContain('Please contact Corner shop')
  })

  it('shows times in the time zone of the business', async () => {
    const begun = await paidPayment(world())
    const { businessId } = begun.tenant
    await world().database.sql`
      update books.organisations
      set time_zone = 'Africa/Lagos'
      where business_id = ${businessId}`
    const { text } = await comeBack(world(), begun.reference)
    expect(text).toContain('1 Mar 2026, 13:00 GMT+1')
    const page = await newLink(world(), begun)
    await pause(world(), 'payments')
    const paused = await view(page)
    await lift(world(), 'payments')
    expect(paused.text).toContain('1 March 2026 at 13:10 GMT+1')
  })

  it('leads a payer who tries again to a form with what they typed, and no one else', async () => {
    const owner = await shop(world())
    const page = await newLink(world(), owner, { amount: undefined })
    const pressed = await pressPay(world(), page, { email: 'ada@example.com', amount: '1,250.50' })
    const kept = pressed.headers.getSetCookie().find((each) => each.startsWith('payer='))
    expect(kept).toContain(`Path=${page};`)
    expect(kept).toContain('HttpOnly')
    const [cookie = ''] = (kept ?? '').split(';')
    const again = (await view(page, { cookie })).text
    expect(again).toContain('value="ada@example.com"')
    expect(again).toContain('value="1,250.50"')
    expect((await view(page)).text).not.toContain('ada@example.com')
    for (const bad of ['payer=x', `payer=${Buffer.from('{"email":1}').toString('base64url')}`]) {
      expect((await view(page, { cookie: bad })).status).toBe(200)
    }
  })

  it('forgets what a payer typed once they have paid', async () => {
    const begun = await paidPayment(world())
    const { headers } = await comeBack(world(), begun.reference)
    expect(headers.getSetCookie().map((each) => each.split(';')[0])).toEqual([
      'checkout=',
      'payer=',
    ])
  })
})

it.each([
  ['Insufficient Funds', 'There was not enough money in your account.'],
  ['Expired Card', 'Your card has expired.'],
  ['DECLINED: 05 <b>', 'Your bank declined the payment.'],
  ['Transaction limit exceeded', 'The amount is above the limit of your card or account.'],
  ['Invalid OTP', 'Your bank could not confirm that it was you.'],
  ['abandoned', 'The time to pay ran out.'],
])('a payer is told of %j in our own words', (failureReason, words) => {
  expect(payerReason({ status: 'failed', failureReason } as Payment, english)).toBe(words)
})

describe('a page on which nothing can be paid', () => {
  it('does not ask to pay', async () => {
    const owner = await shop(world())
    const code = await newCode(world(), owner, { singleUse: true, description: 'Table 4' })
    await paidPayment(world(), owner, code)
    const { status, text } = await view(code)
    expect(status).toBe(410)
    expect(text).toContain('Already paid')
    expect(text).toContain('Corner shop')
    expect(text).toContain('Table 4')
    expect(text).not.toContain('Pay to')
    expect(text).not.toContain('og:title')
  })

  it.each(['/pay/l/abc', '/pay/q/abc', '/pay/return/abc'])(
    'for an unknown address says what to do: %s',
    async (path) => {
      const { status, text } = await view(path)
      expect(status).toBe(404)
      expect(text).toContain('Check that you have the whole address')
      expect(text).toContain('ask the business that sent it')
    },
  )
})

it('a link that is shared shows what it is for, and the page has an icon', async () => {
  const owner = await shop(world())
  const imageUrl = 'https://cdn.example/chair.png'
  const page = await newLink(world(), owner, { title: 'Two <b> chairs', imageUrl })
  const { text } = await view(page)
  expect(text).toContain('<meta property="og:title" content="Two &lt;b> chairs · Corner shop"/>')
  expect(text).toContain('content="Pay ₦1,000.00 to Corner shop."')
  expect(text).toContain(`<meta property="og:image" content="${imageUrl}"/>`)
  expect(text).toContain(`content="https://tillbook.example${page}"`)
  expect(text).toContain('<link rel="icon" href="data:image/svg+xml,')
})
