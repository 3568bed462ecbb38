import { expect, it } from 'vitest'
import { appVisitor } from '../../support/app-visitor.ts'
import { newLink, paidPayment, shop } from '../../support/payments.ts'
import { recipientBody } from '../../support/recipients.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()

it('shows what a recipient received, and its account only by its last digits', async () => {
  const owner = await shop(world())
  const body = recipientBody({ splitValue: 10 })
  const made = await world().call('POST', '/merchant/api/v1/split-recipients', {
    key: owner.key,
    body,
  })
  const { id } = made.body
  const visitor = await appVisitor(world(), owner.tenant.businessId)
  expect((await visitor.get(`/recipients/${id}`)).text).toContain('Nothing received yet')
  const link = await newLink(world(), owner, { splitRecipientId: id })
  const paid = await paidPayment(world(), owner, link)
  const { text } = await visitor.get(`/recipients/${id}`)
  expect(text).toMatch(/Received.*NGN\s1,000\.00.*NGN\s100\.00/s)
  expect(text).toContain(`/payments/${paid.id}"`)
  expect(text).toContain(`•••• ${body.accountNumber.slice(-4)}`)
  expect(text).not.toContain(body.accountNumber)
})
