// A refund above the threshold, asked for by one person and decided by another, in their browsers.
import { afterEach, expect, it } from 'vitest'
import { appVisitor } from '../../support/app-visitor.ts'
import { expectInvariants } from '../../support/invariants.ts'
import { paidPayment, shop } from '../../support/payments.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()

afterEach(() => expectInvariants(world().database))

async function heldRefund() {
  const owner = await shop(world())
  const { id } = await paidPayment(world(), owner)
  const { businessId } = owner.tenant
  const asking = await appVisitor(world(), businessId, 'owner')
  const deciding = await appVisitor(world(), businessId, 'approver')
  const answer = await asking.submit(`/payments/${id}/refund`, { amountMinor: '600' })
  const path = answer.headers.get('location')?.slice(`/b/${businessId}`.length) ?? ''
  expect(path).toMatch(/^\/approvals\//)
  const refunded = async () =>
    (await world().call('GET', `/merchant/api/v1/payments/${id}`, { key: owner.key })).body
      .refunded_amount
  return { asking, deciding, path, refunded }
}

it('is executed when the second person approves, once', async () => {
  const { asking, deciding, path, refunded } = await heldRefund()
  const { text } = await asking.get(path)
  expect(text).toContain('You can’t approve your own request.')
  expect(text).toContain(`Ada Example<span class="quiet d-block">${asking.email}</span>`)
  expect((await asking.submit(`${path}/approve`)).status).not.toBe(303)
  expect(await refunded()).toBe(0)
  expect((await deciding.get('')).text).toContain('request waits for approval')
  const answers = await Promise.all([
    deciding.submit(`${path}/approve`),
    deciding.submit(`${path}/approve`),
  ])
  expect(answers.map(({ status }) => status)).toContain(303)
  expect((await deciding.get(path)).text).toContain('Approved')
})

it('does nothing when it is rejected, and shows the reason', async () => {
  const { asking, deciding, path, refunded } = await heldRefund()
  await deciding.submit(`${path}/reject`, { reason: 'Wrong customer' })
  expect(await refunded()).toBe(0)
  expect((await asking.get(path)).text).toContain('Wrong customer')
})

it('can be withdrawn by the person who asked', async () => {
  const { asking, path, refunded } = await heldRefund()
  expect((await asking.submit(`${path}/withdraw`)).status).toBe(303)
  expect(await refunded()).toBe(0)
})
