// What payers see when they return from the provider's page.
import { afterEach, describe, expect, it } from 'vitest'
import { manualClock } from '../../support/clock.ts'
import { expectInvariants } from '../../support/invariants.ts'
import {
  comeBack,
  newCode,
  newLink,
  paidPayment,
  payment,
  shop,
  storedPayment,
} from '../../support/payments.ts'
import { useWorld } from '../../support/world.ts'

const clock = manualClock()
const world = useWorld({ clock })

afterEach(() => expectInvariants(world().database))

describe('coming back', () => {
  // covers: when absent the service shows its own confirmation screen
  it('shows our confirmation, which can be opened again', async () => {
    const { reference, id } = await paidPayment(world())
    for (const query of ['', '?status=successful', '?status=cancelled&tx_ref=x']) {
      const { status, text } = await comeBack(world(), reference, query)
      expect(status).toBe(200)
      expect(text).toContain('Paid. Thank you!')
      expect(text).toContain(id)
    }
  })

  // covers: returnUrl: payer is redirected there after checkout
  it.each([
    ['https://shop.example/back', 'https://shop.example/back?'],
    ['https://shop.example/back?basket=7%207', 'https://shop.example/back?basket=7%207&'],
    ['https://shop.example/?a=1#done', 'https://shop.example/?a=1&'],
    ['myapp://return', 'myapp://return?'],
  ])('redirects to %s with payment_id and status', async (returnUrl, start) => {
    const owner = await shop(world())
    const page = await newLink(world(), owner, { returnUrl })
    const begun = await payment(world(), owner, page)
    await world().simulator.pay(begun.tenant, begun.reference)
    const answer = await comeBack(world(), begun.reference)
    expect(answer.status).toBe(303)
    const fragment = returnUrl.includes('#') ? '#done' : ''
    expect(answer.headers.get('location')).toBe(
      `${start}payment_id=${begun.id}&status=success${fragment}`,
    )
  })

  // covers: returnUrl: payer is redirected there after checkout
  it('after a decline says cancelled to the merchant, whatever the address claims', async () => {
    const owner = await shop(world())
    const page = await newLink(world(), owner, { returnUrl: 'https://shop.example/' })
    const begun = await payment(world(), owner, page)
    await world().simulator.pay(begun.tenant, begun.reference, 'do_not_honour')
    const answer = await comeBack(world(), begun.reference, '?status=successful')
    expect(answer.headers.get('location')).toBe(
      `https://shop.example/?payment_id=${begun.id}&status=cancelled`,
    )
  })

  // covers: when absent the service shows its own confirmation screen
  it('after a decline offers to try again where there is no merchant’s page', async () => {
    const owner = await shop(world())
    const page = await newLink(world(), owner)
    const begun = await payment(world(), owner, page)
    await world().simulator.pay(begun.tenant, begun.reference, 'insufficient_funds')
    const { text } = await comeBack(world(), begun.reference)
    expect(text).toContain('Not paid')
    expect(text).toContain('There was not enough money in your account. Nothing was charged.')
    expect(text).not.toContain('Insufficient Funds')
    expect(text).toContain(`href="${page}"`)
  })

  it('tells a payer who paid too little that the money is kept', async () => {
    const begun = await payment(world())
    const rule = { operation: 'charge', effect: 'underpay', difference: '1' }
    await world().simulator.rule(begun.tenant, rule)
    await world().simulator.pay(begun.tenant, begun.reference)
    const { text } = await comeBack(world(), begun.reference)
    expect(text).toContain('It is on hold.')
    expect(text).not.toContain('Nothing was charged')
    expect(text).not.toContain('Try again')
  })

  it('tells a payer who paid after a cancel that the money goes back', async () => {
    const begun = await payment(world())
    const { id, key, tenant, reference } = begun
    await world().call('POST', `/merchant/api/v1/payments/${id}/cancel`, { key, body: {} })
    await world().simulator.pay(tenant, reference)
    const { text } = await comeBack(world(), reference)
    expect(text).toContain('It is being refunded')
    expect(text).not.toContain('Nothing was charged')
    expect(text).not.toContain('Try again')
    await world().database.sql`
      update merchant.refunds
      set status = 'failed', failure_reason = 'no money'
      where payment_id = ${id}`
    expect((await comeBack(world(), reference)).text).toContain('It is on hold.')
    await world().database.sql`
      update merchant.refunds
      set status = 'pending', failure_reason = null
      where payment_id = ${id}`
  })

  it('after turning back at the provider ends the payment and frees the code', async () => {
    const owner = await shop(world())
    const page = await newCode(world(), owner, { singleUse: true })
    const begun = await payment(world(), owner, page)
    await world().simulator.control(begun.tenant, 'POST', '/cancel', { tx_ref: begun.reference })
    const { text } = await comeBack(world(), begun.reference, '?status=cancelled')
    expect(text).toContain('You cancelled the payment. Nothing was charged.')
    expect((await storedPayment(world(), begun)).status).toBe('failed')
    await paidPayment(world(), owner, page)
  })

  // covers: processing = charge submitted to the processor and awaiting confirmation
  it('waits while the bank has not decided, and looks again by itself', async () => {
    const begun = await payment(world())
    await world().simulator.rule(begun.tenant, { operation: 'charge', effect: 'stay_pending' })
    await world().simulator.pay(begun.tenant, begun.reference)
    const answer = await comeBack(world(), begun.reference, '?status=successful')
    expect(answer.status).toBe(200)
    expect(answer.text).toContain('Waiting for your bank')
    expect(answer.headers.get('refresh')).toBe(`4; url=/pay/return/${begun.reference}`)
    expect((await storedPayment(world(), begun)).status).toBe('processing')
  })

  it('asks the provider about a payment that has ended once a minute at most', async () => {
    const { tenant, reference, id } = await paidPayment(world())
    // An answer that is lost is the one that leaves a trace in the log.
    await world().simulator.rule(tenant, { operation: '*', effect: 'drop', count: 100 })
    const asked = () =>
      world().logLines.filter(
        (line) => line.includes(id) && line.includes('could not be looked up'),
      )
    for (const views of [1, 2]) {
      for (let at = 0; at < 4; at += 1) {
        expect((await comeBack(world(), reference)).text).toContain('Paid. Thank you!')
      }
      expect(asked()).toHaveLength(views)
      clock.advance(60_000)
    }
    await world().simulator.removeRules(tenant)
  })

  it('waits as well when the provider cannot be asked', async () => {
    const begun = await payment(world())
    await world().simulator.pay(begun.tenant, begun.reference)
    await world().simulator.rule(begun.tenant, { operation: '*', effect: 'drop', count: 3 })
    const { text } = await comeBack(world(), begun.reference)
    expect(text).toContain('Waiting for your bank')
    await world().simulator.removeRules(begun.tenant)
    expect((await comeBack(world(), begun.reference)).text).toContain('Paid. Thank you!')
  })
})
