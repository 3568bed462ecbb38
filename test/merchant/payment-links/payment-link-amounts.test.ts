import { expect, it } from 'vitest'
import { shop } from '../../support/payments.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()

// covers: presetAmount: number
it('a preset amount beside an amount is kept, and every payer pays the amount', async () => {
  const { key } = await shop(world())
  const { status, body } = await world().call('POST', '/merchant/api/v1/payment-links', {
    key,
    body: { title: 'Order', currency: 'NGN', amount: 10, presetAmount: 20 },
  })
  expect(status).toBe(200)
  expect(body).toMatchObject({ amount: 10, preset_amount: 20 })
  const page = await world().call('GET', new URL(body.url).pathname)
  expect(page.text).toContain('Pay ₦10.00')
  expect(page.text).not.toContain('20.00')
})
