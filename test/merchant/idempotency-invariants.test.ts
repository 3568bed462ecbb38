// The invariants of idempotency keys and single-use codes detect violations.
import { afterEach, expect, it } from 'vitest'
import { brokenInvariants, expectInvariants } from '../support/invariants.ts'
import { type Begun, newCode, paidPayment, shop, storedPayment } from '../support/payments.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
const sql = () => world().database.sql

afterEach(() => expectInvariants(world().database))

async function singleUse(): Promise<Begun> {
  const owner = await shop(world())
  return paidPayment(world(), owner, await newCode(world(), owner, { singleUse: true }))
}

it('a key of a link that names none', async () => {
  const { key, tenant } = await shop(world())
  await world().call('POST', '/merchant/api/v1/payment-links', {
    key,
    headers: { 'idempotency-key': 'one' },
    body: { title: 'Shoes', currency: 'NGN' },
  })
  await expectInvariants(world().database)
  const moved = world().context.ids.uuid()
  const [before] = await sql()<{ objectId: string }[]>`
    select object_id
    from kernel.idempotency_keys
    where business_id = ${tenant.businessId}`
  const put = (id: string) => sql()`
    update kernel.idempotency_keys
    set object_id = ${id}
    where business_id = ${tenant.businessId}`
  await put(moved)
  expect(await brokenInvariants(world().database)).toEqual(['I5.3'])
  await put(before?.objectId ?? '')
})

it('a key of a refund that names none', async () => {
  const { tenant } = await shop(world())
  const used = { operation: 'refunds', key: 'refund-1', createdAt: new Date() }
  const row = { ...tenant, ...used, objectId: world().context.ids.uuid() }
  await sql()`insert into kernel.idempotency_keys ${sql()(row)}`
  expect(await brokenInvariants(world().database)).toEqual(['I5.7'])
  await sql()`
    delete from kernel.idempotency_keys
    where business_id = ${tenant.businessId}`
})

it('a payment that no press of Pay made, and a key of another page', async () => {
  const { tenant, id } = await singleUse()
  const [row] = await sql()`
    select key
    from kernel.idempotency_keys
    where business_id = ${tenant.businessId}
      and object_id = ${id}`
  const put = (key: string) => sql()`
    update kernel.idempotency_keys
    set key = ${key}
    where business_id = ${tenant.businessId}
      and object_id = ${id}`
  await put(`${world().context.ids.uuid()}:token`)
  expect(await brokenInvariants(world().database)).toEqual(['I5.4'])
  await sql()`
    delete from kernel.idempotency_keys
    where business_id = ${tenant.businessId}`
  expect(await brokenInvariants(world().database)).toEqual(['I5.4'])
  const used = { operation: 'checkout', key: String(row?.key), objectId: id, createdAt: new Date() }
  await sql()`insert into kernel.idempotency_keys ${sql()({ ...tenant, ...used })}`
})

it('a single-use code that two payments hold', async () => {
  const first = await singleUse()
  const second = await paidPayment(world(), first)
  const put = (code: string | null, link: string | null) => sql()`
    update merchant.payments
    set qr_code_id = ${code},
      payment_link_id = ${link}
    where id = ${second.id}`
  const { qrCodeId } = await storedPayment(world(), first)
  const { paymentLinkId } = await storedPayment(world(), second)
  await put(qrCodeId, null)
  expect(await brokenInvariants(world().database)).toContain('I5.5')
  await put(null, paymentLinkId)
})
