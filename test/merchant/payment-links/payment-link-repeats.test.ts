import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { addMilliseconds } from '../../../src/kernel/basics/clock.ts'
import { manualClock } from '../../support/clock.ts'
import { useContract } from '../../support/openapi.ts'
import type { CallOptions, WantedKey } from '../../support/world.ts'

const clock = manualClock()
const { world, call } = useContract({ clock })
const path = '/merchant/api/v1/payment-links'

const post = (key: string, options: CallOptions) => call('POST', path, { key, ...options })
const newKey = (wanted: Partial<WantedKey> = {}) => world().key({ service: 'merchant', ...wanted })
const link = { title: 'A pair of shoes', currency: 'NGN' }

async function written(businessId: string) {
  const [row] = await world().database.sql<{ links: number; acts: number; keys: number }[]>`
    select
      (select count(*)::int
       from merchant.payment_links
       where business_id = ${businessId}) as links,
      (select count(*)::int
       from kernel.audit_log
       where business_id = ${businessId}
         and action = 'payment_link.create') as acts,
      (select count(*)::int
       from kernel.idempotency_keys
       where business_id = ${businessId}) as keys`
  return row
}

describe('a repeated call for a payment link', () => {
  const header = { 'idempotency-key': 'order-1001' }
  const inBody = { idempotencyKey: 'order-1001' }
  const forms: [string, CallOptions][] = [
    ['the header', { headers: header }],
    ['the body', { body: inBody }],
    ['both', { headers: header, body: inBody }],
  ]
  const withKey = (
    body: object,
    { headers = {}, body: fields = {} }: CallOptions,
  ): CallOptions => ({
    headers,
    body: { ...body, ...(fields as object) },
  })

  // covers: idempotencyKey: string, max 255
  // covers: POST /payment-links: `Idempotency-Key` header or body field
  // covers: on a repeat the original result is
  // covers: Payment links and QR codes › optional header `Idempotency-Key`
  it.each(forms.flatMap(([first, one]) => forms.map(([then, two]) => ({ first, then, one, two }))))(
    'with the key in $first and then in $then is the first link',
    async ({ one, two }) => {
      const { text, businessId } = await newKey()
      const first = await post(text, withKey({ ...link, amount: 5 }, one))
      const second = await post(text, withKey({ title: 'Another', currency: 'USD' }, two))
      expect(second.status).toBe(200)
      expect(second.text).toBe(first.text)
      expect(await written(businessId)).toEqual({ links: 1, acts: 1, keys: 1 })
    },
  )

  // covers: 200 created link, or the original link on a repeated key
  it('makes one link however many come at once: here fifty', async () => {
    const { text, businessId } = await newKey()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        post(text, withKey({ ...link, title: `Call ${index}` }, forms[index % 3]?.[1] ?? {})),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
    expect(new Set(answers.map(({ text: raw }) => raw)).size).toBe(1)
    expect(await written(businessId)).toEqual({ links: 1, acts: 1, keys: 1 })
  })

  // covers: on a repeat the original result is
  it('comes before everything that a new link has to pass', async () => {
    const { text, businessId } = await newKey()
    const expiring = { ...link, expiresAt: addMilliseconds(clock.now(), 60_000) }
    const first = await post(text, { body: expiring, headers: header })
    await world().database.sql`
      update merchant.profiles
      set kyc_status = 'rejected'
      where business_id = ${businessId}`
    clock.advance(120_000)
    const second = await post(text, { body: expiring, headers: header })
    expect(second.status).toBe(200)
    expect(second.body).toEqual({ ...first.body, state: 'expired' })
    const unknown = { ...link, currency: 'CHF', splitRecipientId: randomUUID() }
    expect((await post(text, { body: unknown, headers: header })).body).toEqual(second.body)
  })

  // covers: keys are scoped to the business
  it('is the same through another key of the business', async () => {
    const { text, businessId } = await newKey()
    const other = await newKey({ businessId })
    const first = await post(text, { body: link, headers: header })
    expect((await post(other.text, { body: link, headers: header })).body).toEqual(first.body)
  })

  // covers: keys are scoped to the business
  it('is another link in another business, and in the other environment', async () => {
    const live = await newKey()
    const test = await newKey({ businessId: live.businessId, environment: 'test' })
    const ids = new Set<string>()
    for (const { text } of [live, test, await newKey()]) {
      ids.add((await post(text, { body: link, headers: header })).body.id)
    }
    expect(ids.size).toBe(3)
  })

  it('tells keys apart by their case', async () => {
    const { text } = await newKey()
    const first = await post(text, { body: { ...link, idempotencyKey: 'k' } })
    const second = await post(text, { body: { ...link, idempotencyKey: 'K' } })
    expect(second.body.id).not.toBe(first.body.id)
  })

  const refusals: [string, number, object][] = [
    ['of a broken field', 400, { title: '' }],
    ['of an expiry in the past', 400, { expiresAt: '2026-01-01T00:00:00Z' }],
    ['of an unknown recipient', 404, { splitRecipientId: randomUUID() }],
    ['of a currency that no one can pay in', 501, { currency: 'CHF' }],
  ]
  it.each(refusals)('is a new link after a refusal %s', async (_, refused, fields) => {
    const { text, businessId } = await newKey()
    const bad = await post(text, { body: { ...link, ...fields }, headers: header })
    expect(bad.status).toBe(refused)
    expect(await written(businessId)).toEqual({ links: 0, acts: 0, keys: 0 })
    const good = await post(text, { body: link, headers: header })
    expect(good.status).toBe(200)
    expect(good.body.title).toBe(link.title)
  })
})
