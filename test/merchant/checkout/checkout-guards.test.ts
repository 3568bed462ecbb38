// What a hostile payer or merchant tries on the hosted pages.
import { afterEach, describe, expect, it } from 'vitest'
import { manualClock } from '../../support/clock.ts'
import { expectInvariants } from '../../support/invariants.ts'
import { newLink, pressPay, type Shop, shop } from '../../support/payments.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld({ clock: manualClock() })

afterEach(() => expectInvariants(world().database))

const token = 'a-token-of-a-form-1'
const view = (path: string) => world().call('GET', path)

const statuses = async ({ tenant }: Shop) => {
  const rows = await world().database.sql`
    select status
    from merchant.payments
    where business_id = ${tenant.businessId}
    order by id`
  return rows.map(({ status }) => status)
}

describe('the page', () => {
  it('lets no host of an image or a return address into its policy that would change it', async () => {
    const owner = await shop(world())
    const page = await newLink(world(), owner, {
      imageUrl: 'https://cdn.example/chair.png',
      returnUrl: 'https://shop.example:8443/back',
    })
    const policy = async () => (await view(page)).headers.get('content-security-policy')
    expect(await policy()).toContain("img-src 'self' data: https://cdn.example;")
    expect(await policy()).toContain("form-action 'self' https://shop.example:8443;")
    for (const host of ['a;script-src', 'a,b', '*', "'unsafe-inline'", '*.example']) {
      // Refused today; older links may have them.
      const body = { title: 'x', currency: 'NGN', imageUrl: `https://${host}/a.png` }
      const { key } = owner
      const refused = await world().call('POST', '/merchant/api/v1/payment-links', { key, body })
      expect([refused.status, host]).toEqual([400, host])
      await world().database.sql`
        update merchant.payment_links
        set image_url = ${`https://${host}/a.png`}, return_url = ${`https://${host}/`}
        where business_id = ${owner.tenant.businessId}`
      expect(await policy()).toContain("img-src 'self' data:;")
      expect(await policy()).toContain("form-action 'self';")
    }
  })

  it('shows names and titles without marks that turn their direction', async () => {
    const businessId = await world().business({ name: 'Corner \u202eshop' })
    const owner = await shop(world(), { businessId })
    const title = 'Order \u202e1001\u202c \u2066x\u2069'
    const { text } = await view(await newLink(world(), owner, { title }))
    expect(text).toContain('Order 1001 x')
    expect(text).toContain('Corner shop')
    expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
  })

  it('makes ten payments with one form at most, and then gives out a new form', async () => {
    const owner = await shop(world())
    const page = await newLink(world(), owner, { amount: undefined })
    const press = (at: number, form = token) =>
      pressPay(world(), page, { token: form, amount: String(100 + at) })
    for (let at = 1; at <= 10; at += 1) expect((await press(at)).status).toBe(303)
    const refused = await press(11)
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('Please press Pay again.')
    expect(refused.text).toContain('value="111"')
    expect(await statuses(owner)).toHaveLength(10)
    const next = /name="token" value="([^"]+)"/.exec(refused.text)?.[1]
    expect(next).not.toBe(token)
    expect((await press(11, next)).status).toBe(303)
    expect(await statuses(owner)).toEqual([...Array(9).fill('cancelled'), 'pending', 'pending'])
  })
})
