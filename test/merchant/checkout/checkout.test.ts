// The payer's pages without a browser: what they show and do, and two payers at once.
import { afterEach, describe, expect, it } from 'vitest'
import { parseHostedReference } from '../../../src/kernel/basics/hosted-reference.ts'
import type { Tenant } from '../../../src/kernel/basics/tenant.ts'
import { openLinkOffer } from '../../../src/merchant/checkout/open-offer.ts'
import { startCheckout } from '../../../src/merchant/checkout/start-checkout.ts'
import { lockPayment } from '../../../src/merchant/payments/payment-store.ts'
import { manualClock } from '../../support/clock.ts'
import { untilBlocked } from '../../support/database.ts'
import { expectInvariants } from '../../support/invariants.ts'
import {
  comeBack,
  discrepanciesOf,
  eventsOf,
  newCode,
  newLink,
  payment,
  pressPay,
  returnedTo,
  type Shop,
  shop,
  storedPayment,
} from '../../support/payments.ts'
import { useWorld } from '../../support/world.ts'

const clock = manualClock()
const world = useWorld({ clock })

afterEach(() => expectInvariants(world().database))

const token = 'a-token-of-a-form-1'
const view = (path: string, headers = {}) => world().call('GET', path, { headers })
const count = async ({ tenant }: Shop) => {
  const rows = await world().database.sql`
    select
    from merchant.payments
    where business_id = ${tenant.businessId}`
  return rows.length
}

const statuses = async ({ tenant }: Shop) => {
  const rows = await world().database.sql`
    select status
    from merchant.payments
    where business_id = ${tenant.businessId}
    order by id`
  return rows.map(({ status }) => status)
}

describe('the page', () => {
  it('shows what is paid, to whom and how much, and makes nothing', async () => {
    const owner = await shop(world())
    const page = await newLink(world(), owner, { description: 'Two chairs <b>', amount: 1234567.5 })
    const { status, text, headers } = await view(page)
    expect(status).toBe(200)
    for (const part of ['Corner shop', 'Order 1001', 'Two chairs &lt;b>', '₦1,234,567.50']) {
      expect(text).toContain(part)
    }
    expect(headers.get('cache-control')).toBe('no-store')
    const policy = headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    // The simulator's pages are our own.
    expect(policy).toContain("form-action 'self';")
    expect(text).not.toContain('<script')
    expect(await count(owner)).toBe(0)
  })

  it('says that nothing real moves, in test mode and where a demonstration is simulated', async () => {
    const live = await shop(world())
    const test = await shop(world(), { ...live.tenant, environment: 'test' })
    expect((await view(await newLink(world(), test))).text).toContain('Test mode:')
    expect((await view(await newLink(world(), live))).text).toContain('this payment is simulated')
  })

  // covers: presetAmount: number
  it('lets a payer change a suggested amount and fill in an open one', async () => {
    const owner = await shop(world())
    const suggested = await newLink(world(), owner, { amount: undefined, presetAmount: 50 })
    expect((await view(suggested)).text).toContain('value="50.00"')
    const open = await newCode(world(), owner, { mode: 'open_amount', amount: undefined })
    expect((await view(open)).text).toContain('name="amount"')
    await pressPay(world(), suggested, { amount: '75.5' })
    await pressPay(world(), open, { amount: '₦1.250,00' })
    const amounts = await world().database.sql`
      select amount_minor
      from merchant.payments
      where business_id = ${owner.tenant.businessId}
      order by id`
    expect(amounts.map(({ amountMinor }) => amountMinor)).toEqual([7_550n, 125_000n])
  })

  it.each([
    ['', 'Enter the amount in figures'],
    ['ten', 'Enter the amount in figures'],
    ['-5', 'Enter the amount in figures'],
    ['1e3', 'Enter the amount in figures'],
    ['0', 'above zero'],
    ['1.005', 'NGN has 2 decimals'],
    ['100000000.01', 'Enter at most ₦100,000,000.00'],
  ])('refuses an amount of "%s", and keeps what was typed', async (amount, message) => {
    const owner = await shop(world())
    const page = await newLink(world(), owner, { amount: undefined })
    const { status, text } = await pressPay(world(), page, { amount, email: 'p@example.com' })
    expect(status).toBe(422)
    expect(text).toContain(message)
    expect(text).toContain('value="p@example.com"')
    expect(await count(owner)).toBe(0)
  })

  it('takes as much as the interface allows where the currency has no decimals', async () => {
    const owner = await shop(world())
    const link = await newLink(world(), owner, { amount: undefined, currency: 'XAF' })
    const open = { mode: 'open_amount', amount: undefined, currency: 'XAF' }
    const code = await newCode(world(), owner, open)
    for (const [page, amount, status] of [
      [link, '100000000', 303],
      [link, '100000001', 422],
      [code, '10000000000', 303],
      [code, '10000000001', 422],
    ] as const) {
      expect((await pressPay(world(), page, { amount })).status, `${page} ${amount}`).toBe(status)
    }
  })

  it('refuses an e-mail address that is none', async () => {
    const owner = await shop(world())
    const page = await newLink(world(), owner)
    for (const [email, message] of [
      ['', 'Enter your e-mail address.'],
      ['x', 'This is not a complete e-mail address.'],
    ] as const) {
      const { status, text } = await pressPay(world(), page, { email })
      expect(status).toBe(422)
      expect(text).toContain(message)
    }
    expect(await count(owner)).toBe(0)
  })

  it('takes no other amount for a fixed one', async () => {
    const owner = await shop(world())
    await pressPay(world(), await newLink(world(), owner), { amount: '1' })
    const begun = await world().call('GET', '/merchant/api/v1/payments', { key: owner.key })
    expect(begun.body.data[0].amount).toBe(100_000)
  })

  it('is not there for a reference that leads nowhere', async () => {
    const owner = await shop(world())
    const link = await newLink(world(), owner)
    expect((await view('/pay/l/x')).status).toBe(404)
    expect((await view(link.replace('/l/', '/q/'))).status).toBe(404)
    expect((await comeBack(world(), link.split('/').at(-1) ?? '')).status).toBe(404)
  })

  it('refuses a form of another site', async () => {
    const page = await newLink(world(), await shop(world()))
    const answer = await world().call('POST', page, {
      rawBody: 'email=a%40example.com',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'https://elsewhere.example',
      },
    })
    expect(answer.status).toBe(403)
  })
})

describe('links and codes that can no longer be paid', () => {
  // covers: expiresAt: string date-time
  it('says so when the link has expired, before Pay and when it is pressed', async () => {
    const owner = await shop(world())
    const expiresAt = new Date(clock.now().getTime() + 60_000).toISOString()
    const page = await newLink(world(), owner, { expiresAt })
    expect((await view(page)).status).toBe(200)
    clock.advance(60_000)
    for (const answer of [await view(page), await pressPay(world(), page)]) {
      expect(answer.status).toBe(410)
      expect(answer.text).toContain('This link has expired')
    }
    expect(await count(owner)).toBe(0)
  })

  it('says so when the link was disabled meanwhile', async () => {
    const owner = await shop(world())
    const page = await newLink(world(), owner)
    await world().database.sql`
      update merchant.payment_links
      set state = 'disabled'
      where business_id = ${owner.tenant.businessId}`
    const answer = await pressPay(world(), page)
    expect(answer.status).toBe(410)
    expect(answer.text).toContain('This can no longer be paid')
  })

  it('says so when the business may not take money', async () => {
    const owner = await shop(world())
    const page = await newLink(world(), owner)
    await world().database.sql`
      update merchant.profiles
      set kyc_status = 'rejected'
      where business_id = ${owner.tenant.businessId}`
    expect((await pressPay(world(), page)).text).toContain('can’t take payments')
    expect(await count(owner)).toBe(0)
  })
})

describe('pressing Pay', () => {
  it('leads to the provider’s page', async () => {
    const answer = await pressPay(world(), await newLink(world(), await shop(world())))
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toMatch(/^https:\/\/tillbook\.example\/simulator\/pay\//)
  })

  it('twice on one page is one payment, also at the same moment', async () => {
    const owner = await shop(world())
    const page = await newLink(world(), owner)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => pressPay(world(), page, { token })),
    )
    const places = new Set(answers.map(({ headers }) => headers.get('location')))
    expect(places.size).toBe(1)
    expect(await count(owner)).toBe(1)
  })

  it('on a page that was opened anew is another payment', async () => {
    const owner = await shop(world())
    const page = await newLink(world(), owner)
    await pressPay(world(), page, { token })
    await pressPay(world(), page, { token: `${token}2` })
    expect(await count(owner)).toBe(2)
  })

  it('again after going back keeps the browser’s token, and so the payment', async () => {
    const owner = await shop(world())
    const page = await newCode(world(), owner, { singleUse: true })
    const first = await view(page)
    const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? ''
    const known = cookie.split('=')[1] ?? ''
    expect(first.text).toContain(`value="${known}"`)
    const begun = await pressPay(world(), page, { token: known })
    expect((await view(page)).status).toBe(409)
    const back = await view(page, { cookie })
    expect(back.status).toBe(200)
    expect(back.text).toContain(`value="${known}"`)
    const again = await pressPay(world(), page, { token: known })
    expect(again.headers.get('location')).toBe(begun.headers.get('location'))
    expect(await count(owner)).toBe(1)
  })

  it('again with another amount replaces the payment', async () => {
    const owner = await shop(world())
    const page = await newCode(world(), owner, {
      mode: 'open_amount',
      amount: undefined,
      singleUse: true,
    })
    await pressPay(world(), page, { token, amount: '10' })
    const second = await pressPay(world(), page, { token, amount: '20' })
    expect(second.status).toBe(303)
    const rows = await world().database.sql`
      select status, amount_minor
      from merchant.payments
      where business_id = ${owner.tenant.businessId}
      order by id`
    expect(rows).toEqual([
      { status: 'cancelled', amountMinor: 1_000n },
      { status: 'pending', amountMinor: 2_000n },
    ])
  })

  it('again after a decline is a new payment, and a double click on it one', async () => {
    const owner = await shop(world())
    const page = await newLink(world(), owner)
    await pressPay(world(), page, { token })
    const { body } = await world().call('GET', '/merchant/api/v1/payments', { key: owner.key })
    const reference = (await storedPayment(world(), { ...owner, id: body.data[0].id }))
      .providerReference
    await world().simulator.pay(owner.tenant, reference, 'insufficient_funds')
    await comeBack(world(), reference)
    const answers = await Promise.all([1, 2, 3].map(() => pressPay(world(), page, { token })))
    expect(new Set(answers.map(({ headers }) => headers.get('location'))).size).toBe(1)
    expect(await count(owner)).toBe(2)
  })

  it('after it was paid leads to where the payment stands', async () => {
    const owner = await shop(world())
    const page = await newLink(world(), owner)
    const begun = await pressPay(world(), page, { token })
    expect(begun.status).toBe(303)
    const { body } = await world().call('GET', '/merchant/api/v1/payments', { key: owner.key })
    const { providerReference } = await storedPayment(world(), { ...owner, id: body.data[0].id })
    await world().simulator.pay(owner.tenant, providerReference)
    await comeBack(world(), providerReference)
    const again = await pressPay(world(), page, { token })
    expect(returnedTo(again)).toBe(body.data[0].id)
    expect(await count(owner)).toBe(1)
  })

  it('tells when the provider does not answer, and finds the same payment afterwards', async () => {
    const owner = await shop(world())
    const page = await newLink(world(), owner)
    const rule = { operation: 'POST /payments', effect: 'drop', count: 1 }
    await world().simulator.rule(owner.tenant, rule)
    const first = await pressPay(world(), page, { token })
    expect(first.status).toBe(502)
    expect(first.text).toContain('is not responding. Nothing was charged.')
    const second = await pressPay(world(), page, { token })
    expect(second.status).toBe(303)
    expect(await count(owner)).toBe(1)
  })

  it('fails the payment when the provider refuses the checkout', async () => {
    const owner = await shop(world())
    const page = await newLink(world(), owner)
    const rule = { operation: 'POST /payments', effect: 'refuse', status: 400, count: 1 }
    await world().simulator.rule(owner.tenant, rule)
    const answer = await pressPay(world(), page, { token })
    const id = returnedTo(answer) ?? ''
    expect(await storedPayment(world(), { ...owner, id })).toMatchObject({
      status: 'failed',
      // Not what the provider wrote, which is for its own customer to read.
      failureReason: 'the payment provider did not accept it',
    })
  })

  it('again after a lost answer leads on when the provider refuses the same reference', async () => {
    const owner = await shop(world())
    const page = await newLink(world(), owner)
    const { simulator } = world()
    await simulator.rule(owner.tenant, { operation: 'checkout', effect: 'refuse_repeated' })
    await simulator.rule(owner.tenant, {
      operation: 'POST /payments',
      effect: 'drop_after',
      count: 1,
    })
    expect((await pressPay(world(), page, { token })).status).toBe(502)
    const second = await pressPay(world(), page, { token })
    expect(second.headers.get('location')).toContain('/simulator/pay/')
    expect(await statuses(owner)).toEqual(['cancelled', 'pending'])
    expect(await eventsOf(world(), owner.tenant)).toEqual([])
  })

  it('twice leads both to one page when the provider refuses the second use', async () => {
    const owner = await shop(world())
    const page = await newLink(world(), owner)
    await world().simulator.rule(owner.tenant, { operation: 'checkout', effect: 'refuse_repeated' })
    const { context } = world()
    const real = await context.providerFor(owner.tenant)
    const made = Promise.withResolvers<void>()
    const other = Promise.withResolvers<void>()
    let calls = 0
    const createCheckout: typeof real.createCheckout = async (instruction) => {
      calls += 1
      const isFirst = calls === 1
      const outcome = await real.createCheckout(instruction)
      if (!isFirst) return outcome
      made.resolve()
      await other.promise
      return outcome
    }
    const slow = { ...context, providerFor: async () => ({ ...real, createCheckout }) }
    const hosted = parseHostedReference(page.split('/').at(-1) ?? '')
    const offer = hosted && (await openLinkOffer(context, hosted))
    if (!offer) throw new Error('there is no such link')
    const pressed = { offer, amountMinor: 100_000n, payerEmail: 'payer@example.com', token }
    const first = startCheckout(slow, pressed)
    await made.promise
    const second = await startCheckout(slow, pressed)
    other.resolve()
    expect(second.kind).toBe('hand_over')
    expect(await first).toEqual(second)
    expect(await statuses(owner)).toEqual(['cancelled', 'pending'])
    expect(await eventsOf(world(), owner.tenant)).toEqual([])
  })

  // covers: singleUse: boolean
  it('by two payers of a single-use code lets one in', async () => {
    const owner = await shop(world())
    const page = await newCode(world(), owner, { singleUse: true })
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, payer) =>
        pressPay(world(), page, { token: `${token}-${payer}` }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array(7).fill(409)])
    expect(answers.find(({ status }) => status === 409)?.text).toContain('Another payment is in')
    expect(await count(owner)).toBe(1)
  })
})

// Both wait for the payment's lock, and get it in the order in which they came.
// covers: never reaches the processor
it.each([
  { first: 'cancel', status: 'cancelled', answer: 200, refunds: 1 },
  { first: 'success', status: 'succeeded', answer: 400, refunds: 0 },
] as const)(
  'of a cancel and a success at the same moment one wins, once: here the $first',
  async ({ first, status, answer, refunds }) => {
    const begun = await payment(world())
    await world().simulator.rule(begun.tenant, { operation: 'webhook', effect: 'withhold' })
    await world().simulator.pay(begun.tenant, begun.reference)
    const { key, id, tenant } = begun
    const cancel = () => world().call('POST', `/merchant/api/v1/payments/${id}/cancel`, { key })
    const success = () => comeBack(world(), begun.reference)
    const held = await holdPayment(tenant, id)
    const one = first === 'cancel' ? cancel() : success()
    await held.waiters(1)
    const other = first === 'cancel' ? success() : cancel()
    await held.waiters(2)
    await held.release()
    const answers = await Promise.all([one, other])
    expect(answers[first === 'cancel' ? 0 : 1].status).toBe(answer)
    expect((await storedPayment(world(), begun)).status).toBe(status)
    await success()
    const made = await world().database.sql`
      select cause
      from merchant.refunds
      where payment_id = ${id}`
    expect(made).toHaveLength(refunds)
    expect(await discrepanciesOf(world(), tenant)).toHaveLength(refunds)
  },
)

// Holds the payment's row as another transaction would, and tells how many wait for it.
async function holdPayment(tenant: Tenant, id: string) {
  const { sql, transaction } = world().database
  const locked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const holding = transaction(async (tx) => {
    await lockPayment(tx, tenant, id)
    locked.resolve()
    await released.promise
  })
  await locked.promise
  return {
    waiters: (count: number) => untilBlocked(sql, count),
    async release() {
      released.resolve()
      await holding
    },
  }
}
