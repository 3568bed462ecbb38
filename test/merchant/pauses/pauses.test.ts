// What a pause stops, what it lets through, and when it ends. Tests control the time.
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { PersonActor } from '../../../src/kernel/auth/actor.ts'
import { createPeople, type People } from '../../../src/kernel/auth/people.ts'
import type { Tenant } from '../../../src/kernel/basics/tenant.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { findApproval } from '../../../src/merchant/approvals/approval-store.ts'
import { approveApproval } from '../../../src/merchant/approvals/approve-approval.ts'
import { pauseKinds } from '../../../src/merchant/pauses/pause.ts'
import { listPauses } from '../../../src/merchant/pauses/pause-store.ts'
import { requireNotPaused } from '../../../src/merchant/pauses/require-not-paused.ts'
import { resolveRefundsSchedule } from '../../../src/merchant/refunds/resolve-refunds.ts'
import { manualClock } from '../../support/clock.ts'
import { expectInvariants } from '../../support/invariants.ts'
import { lift, pause } from '../../support/pauses.ts'
import {
  comeBack,
  newCode,
  newLink,
  payment,
  pressPay,
  type Shop,
  shop,
  storedPayment,
} from '../../support/payments.ts'
import { putPerson } from '../../support/put-person.ts'
import { useWorld } from '../../support/world.ts'
import { paidPayment, stateOf } from '../refunds/paid-payment.ts'

const clock = manualClock()
const world = useWorld({ clock })
const { signal } = new AbortController()

let people: People
beforeAll(async () => {
  people = await createPeople(world().context, world().context)
})

afterEach(async () => {
  for (const kind of pauseKinds) await lift(world(), kind)
  await expectInvariants(world().database)
})

async function approverOf(tenant: Tenant): Promise<PersonActor> {
  const { personId } = await putPerson(world().context)
  await world().database.transaction((tx) =>
    people.addMembership(tx, tenant.businessId, personId, 'approver'),
  )
  return { kind: 'person', personId, role: 'approver', ...tenant }
}

const refused = (kind: (typeof pauseKinds)[number]) =>
  requireNotPaused(world().context, kind).then(
    () => undefined,
    (error) => error,
  )

describe('a pause', () => {
  // covers: 503 service_paused: payouts
  it('stops its own kind and no other', async () => {
    for (const kind of pauseKinds) {
      await pause(world(), kind)
      for (const asked of pauseKinds) {
        const fault = await refused(asked)
        expect([kind, asked, fault?.kind]).toEqual([
          kind,
          asked,
          kind === asked ? 'service_paused' : undefined,
        ])
      }
      await lift(world(), kind)
    }
  })

  // covers: 503 service_paused: payouts
  it('ends by itself at the announced moment, and says until then how long it still lasts', async () => {
    await pause(world(), 'payouts', 90.5)
    expect(await refused('payouts')).toMatchObject({ retryAfterSeconds: 91 })
    clock.advance(90_499)
    expect(await refused('payouts')).toMatchObject({ retryAfterSeconds: 1 })
    clock.advance(1)
    expect(await refused('payouts')).toBeUndefined()
  })

  it('is moved by setting it again, in both directions', async () => {
    await pause(world(), 'refunds', 60)
    await pause(world(), 'refunds', 600)
    expect(await refused('refunds')).toMatchObject({ retryAfterSeconds: 600 })
    await pause(world(), 'refunds', 30)
    expect(await refused('refunds')).toMatchObject({ retryAfterSeconds: 30 })
  })

  it('must end in the future', async () => {
    await expect(pause(world(), 'refunds', 0)).rejects.toMatchObject({ kind: 'invalid_request' })
    expect(await refused('refunds')).toBeUndefined()
  })

  it('names its end to callers, and keeps the reason and its history for operators', async () => {
    const endsAt = await pause(world(), 'refunds')
    const { error } = await refused('refunds')
    expect(error).toContain(endsAt.toISOString())
    expect(error).not.toContain('moves house')
    expect(await lift(world(), 'refunds')).toBe(true)
    expect(await lift(world(), 'refunds')).toBe(false)
    expect(await refused('refunds')).toBeUndefined()
    const [newest] = await listPauses(world().database.sql, 1)
    expect(newest).toMatchObject({
      reason: 'the bank moves house',
      setBy: 'test',
      liftedBy: 'test',
    })
  })
})

describe('paused refunds', () => {
  it('leave a refund that was recorded before to be completed', async () => {
    const { tenant, key } = await shop(world())
    const { id } = await paidPayment(world(), tenant)
    const operation = 'POST /transactions/:id/refund'
    await world().simulator.rule(tenant, { operation, effect: 'drop_after', count: 1 })
    const path = `/merchant/api/v1/payments/${id}/refund`
    expect((await world().call('POST', path, { key })).status).toBe(502)
    await pause(world(), 'refunds', 24 * 60 * 60)
    clock.advance(700_000)
    await resolveRefundsSchedule.run(world().context, signal)
    const { payment, effects } = await stateOf(world(), tenant, id)
    expect([payment.status, effects]).toEqual(['refunded', 1])
  })

  it('cannot be approved, and the approval stays open for afterwards', async () => {
    const { tenant, key } = await shop(world())
    const { id } = await paidPayment(world(), tenant, 0n)
    const path = `/merchant/api/v1/payments/${id}/refund`
    const { body } = await world().call('POST', path, { key })
    const approver = await approverOf(tenant)
    await pause(world(), 'refunds')
    const attempt = runOperation(approveApproval, world().context, approver, {
      id: body.approvalId,
    })
    await expect(attempt).rejects.toMatchObject({ kind: 'service_paused' })
    const approval = () => findApproval(world().database.sql, tenant, body.approvalId)
    expect(await approval()).toMatchObject({ state: 'pending', decidedBy: null })
    expect((await stateOf(world(), tenant, id)).refunds).toEqual([])
    await lift(world(), 'refunds')
    await runOperation(approveApproval, world().context, approver, { id: body.approvalId })
    expect(await approval()).toMatchObject({ state: 'approved' })
  })
})

describe('paused payments', () => {
  const paymentsOf = async ({ tenant }: Shop) =>
    (
      await world().database.sql`
      select
      from merchant.payments
      where business_id = ${tenant.businessId}`
    ).length

  // covers: 503 service_paused: payouts
  it.each([
    ['a link', newLink],
    ['a code', newCode],
  ] as const)('show a page with the end, on %s, and refuse Pay', async (_, make) => {
    const owner = await shop(world())
    const path = await make(world(), owner, make === newCode ? { singleUse: true } : {})
    clock.set(new Date('2026-03-01T12:00:00.000Z'))
    await pause(world(), 'payments', 30 * 60)
    const seen = await world().call('GET', path)
    const pressed = await pressPay(world(), path, { token: 'a-token-of-a-form-1' })
    for (const answer of [seen, pressed]) {
      expect(answer.status).toBe(503)
      expect(answer.headers.get('retry-after')).toBe('1800')
      expect(answer.text).toContain('Payments are paused')
      expect(answer.text).toContain('1 March 2026 at 12:30 UTC')
      expect(answer.text).toContain('Nothing was charged')
      expect(answer.text).not.toContain('moves house')
    }
    expect(await paymentsOf(owner)).toBe(0)
    // Neither the form's token nor the code was used up.
    clock.advance(30 * 60_000)
    expect((await world().call('GET', path)).status).toBe(200)
    expect((await pressPay(world(), path, { token: 'a-token-of-a-form-1' })).status).toBe(303)
    expect(await paymentsOf(owner)).toBe(1)
  })

  it('are named on the front page, with their end', async () => {
    clock.set(new Date('2026-03-01T12:00:00.000Z'))
    await pause(world(), 'payments', 20 * 60)
    await pause(world(), 'payouts', 30 * 60)
    await pause(world(), 'payouts', 45 * 60)
    const headers = { accept: 'text/html' }
    const { text } = await world().call('GET', '/', { headers })
    const words = text.replaceAll(/<[^>]+>/g, '')
    expect(words).toContain('New payments are paused until 2026-03-01 12:20 UTC.')
    expect(words.match(/New payouts are paused until 2026-03-01 12:45 UTC\./g)).toHaveLength(1)
    expect(words).not.toContain('Everything is working.')
    clock.advance(45 * 60_000)
    expect((await world().call('GET', '/', { headers })).text).not.toContain('are paused')
  })

  it('let a payer who is on the provider’s page go on and pay', async () => {
    const owner = await shop(world())
    const path = await newLink(world(), owner)
    const token = 'a-token-of-a-form-2'
    const first = await pressPay(world(), path, { token })
    expect(first.status).toBe(303)
    await pause(world(), 'payments')
    // Back with the browser: the form is still theirs, and leads to the same page.
    const form = await world().call('GET', path, { headers: { cookie: `checkout=${token}` } })
    expect(form.status).toBe(200)
    const again = await pressPay(world(), path, { token })
    expect(again.headers.get('location')).toBe(first.headers.get('location'))
    expect(await paymentsOf(owner)).toBe(1)
    const [row] = await world().database.sql<{ id: string; providerReference: string }[]>`
      select id, provider_reference
      from merchant.payments
      where business_id = ${owner.tenant.businessId}`
    const reference = row?.providerReference ?? ''
    await world().simulator.pay(owner.tenant, reference)
    await comeBack(world(), reference)
    const stored = await storedPayment(world(), { tenant: owner.tenant, id: row?.id ?? '' })
    expect(stored.status).toBe('succeeded')
  })

  it('refuse a form whose first press never reached the provider', async () => {
    const owner = await shop(world())
    const path = await newLink(world(), owner)
    const token = 'a-token-of-a-form-3'
    const rule = { operation: 'POST /payments', effect: 'drop', count: 1 }
    await world().simulator.rule(owner.tenant, rule)
    expect((await pressPay(world(), path, { token })).status).toBe(502)
    await pause(world(), 'payments')
    expect((await pressPay(world(), path, { token })).status).toBe(503)
    await lift(world(), 'payments')
    expect((await pressPay(world(), path, { token })).status).toBe(303)
    expect(await paymentsOf(owner)).toBe(1)
  })

  // covers: 503 service_paused: payouts
  it('let no link and no code be made, but give the link of a repeated key', async () => {
    const { key } = await shop(world())
    const link = { title: 'Order', currency: 'NGN', idempotencyKey: 'order-1' }
    const post = (path: string, body: object) =>
      world().call('POST', `/merchant/api/v1/${path}`, { key, body })
    const first = await post('payment-links', link)
    await pause(world(), 'payments', 90)
    for (const refused of [
      await post('payment-links', { ...link, idempotencyKey: 'order-2' }),
      await post('qr-codes', { mode: 'open_amount', currency: 'NGN' }),
    ]) {
      expect([refused.status, refused.body.code]).toEqual([503, 'service_paused'])
      expect(refused.headers.get('retry-after')).toBe('90')
    }
    const repeated = await post('payment-links', link)
    expect([repeated.status, repeated.body.id]).toEqual([200, first.body.id])
    await lift(world(), 'payments')
    // The refused call did not use its key up.
    const second = await post('payment-links', { ...link, idempotencyKey: 'order-2' })
    expect(second.status).toBe(200)
    expect(second.body.id).not.toBe(first.body.id)
  })

  it('let payments be cancelled', async () => {
    const owner = await shop(world())
    const begun = await payment(world(), owner)
    await pause(world(), 'payments')
    const path = `/merchant/api/v1/payments/${begun.id}/cancel`
    expect((await world().call('POST', path, { key: owner.key })).status).toBe(200)
  })
})
