// A payout is explained by what was booked since the payout before it.
import { expect, it } from 'vitest'
import { allowRefunds, appVisitor } from '../../support/app-visitor.ts'
import { paidPayment } from '../../support/payments.ts'
import { payer } from '../../support/payouts.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()

const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/[ \n]+/g, ' ')

it('lists the payments, fees and refunds since the payout before', async () => {
  const one = await payer(world())
  const visitor = await appVisitor(world(), one.tenant.businessId, 'viewer')
  const toWallet = { destinationType: 'service_account', amount: 500 }
  const first = (await one.payOut(toWallet)).body.payoutId
  const { id } = await paidPayment(world(), one)
  await allowRefunds(world(), one.tenant)
  const refund = { key: one.key, body: { amount: 30_000 } }
  await world().call('POST', `/merchant/api/v1/payments/${id}/refund`, refund)
  const second = (await one.payOut(toWallet)).body.payoutId
  await paidPayment(world(), one)

  const page = (await visitor.get(`/payouts/${second}`)).text
  expect(textOf(page)).toContain('Payments settled (1): NGN\u00a0985.00')
  expect(textOf(page)).toContain('Refunds (1): -NGN\u00a0300.00')
  expect(textOf(page)).toMatch(/changed by NGN\u00a0685\.00/)
  expect(page.match(new RegExp(`/payments/${id}"`, 'g'))).toHaveLength(2)
  // What the payer paid and the fee, beside what came into the balance.
  expect(textOf(page)).toContain('NGN\u00a01,000.00 NGN\u00a015.00 NGN\u00a0985.00')
  expect(page).toContain(`/payouts/${first}"`)
  expect(textOf(page)).toContain('Completed and booked')

  const before = textOf((await visitor.get(`/payouts/${first}`)).text)
  expect(before).toContain('Until this first payout')
  expect(before).not.toContain('Payments settled')
})

it('shows a payout that waits without contents, and can be cancelled by those who may', async () => {
  const one = await payer(world(), { thresholdMinor: 50_000n })
  const { approvalId } = (await one.payOut()).body
  const owner = await appVisitor(world(), one.tenant.businessId)
  const [, id] = /payouts\/([0-9a-f-]{36})"/.exec((await owner.get('/payouts')).text) ?? []
  const page = (await owner.get(`/payouts/${id}`)).text
  expect(page).toContain(`/approvals/${approvalId}"`)
  expect(page).toContain(`/payouts/${id}/cancel"`)
  expect(textOf(page)).toContain('is shown when it is completed')
  const viewer = await appVisitor(world(), one.tenant.businessId, 'viewer')
  expect((await viewer.get(`/payouts/${id}`)).text).not.toContain(`/payouts/${id}/cancel"`)
})

it('waits with its balance beside it, and is in the audit log as an amount', async () => {
  const one = await payer(world(), { thresholdMinor: 50_000n })
  const { approvalId } = (await one.payOut()).body
  const owner = await appVisitor(world(), one.tenant.businessId)
  const approval = textOf((await owner.get(`/approvals/${approvalId}`)).text)
  expect(approval).toMatch(/Available balance NGN.[\d,.]+ The amount .* is already reserved/)
  const log = textOf((await owner.get('/settings/audit-log?text=payout')).text)
  expect(log).toMatch(/Payout requested .*amount: NGN.[\d,]+\.\d\d/)
  expect(log).not.toContain('amountMinor')
})
