// What a payment link asks its payers for, in the application.
import { expect, it } from 'vitest'
import { appVisitor } from '../../support/app-visitor.ts'
import { pressPay, shop } from '../../support/payments.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()

const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')

const form = {
  title: 'Workshop',
  kind: 'fixed',
  currency: 'NGN',
  amountMinor: '50',
  ask_name: 'required',
  ask_phone: 'off',
  ask_address: 'optional',
  ask_note: 'optional',
}

it('is chosen in the form, asked on the page of the link and shown on the payment', async () => {
  const { tenant } = await shop(world())
  const visitor = await appVisitor(world(), tenant.businessId)
  const made = await visitor.submit('/payment-links/new', form)
  expect(made.status).toBe(303)
  const link = await visitor.get(
    `/payment-links/${made.headers.get('location')?.split('/').at(-1)}`,
  )
  expect(textOf(link.text)).toContain('Payers are asked for Name, address (optional), note (opt')
  const address = /href="([^"]*\/pay\/l\/[^"]*)"/.exec(link.text)?.[1] ?? ''
  const page = new URL(address).pathname
  const { text } = await world().call('GET', page)
  expect(textOf(text)).toMatch(/e-mail address .* Name Address \(optional\) Note \(optional\) Pay/)
  expect(text).not.toContain('payer-phone')
  await pressPay(world(), page, {
    'payer-name': 'Ada Obi',
    'payer-address': '1 High Street\nLagos',
  })
  const [begun] = await world().database.sql<{ id: string }[]>`
    select id
    from merchant.payments
    where business_id = ${tenant.businessId}`
  const payment = await visitor.get(`/payments/${begun?.id}`)
  expect(textOf(payment.text)).toContain('Ada Obi (payer@example.com) Address 1 High Street Lagos')
  const { text: csv } = await visitor.get('/payments.csv')
  expect(csv).toContain('Ada Obi')
  expect(csv).toContain('"1 High Street\nLagos"')
})

it('keeps what was chosen when something else is wrong', async () => {
  const { tenant } = await shop(world())
  const visitor = await appVisitor(world(), tenant.businessId)
  const refused = await visitor.submit('/payment-links/new', { ...form, title: '' })
  expect(refused.status).toBe(422)
  expect(refused.text).toMatch(/name="ask_name"[\s\S]*?<option[^>]*value="required"[^>]*selected/)
  const forged = await visitor.submit('/payment-links/new', { ...form, ask_name: 'maybe' })
  expect(forged.status).toBe(422)
})
