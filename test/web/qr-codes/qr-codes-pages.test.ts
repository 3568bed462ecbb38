// What people read about the amount of a QR code.
import { expect, it } from 'vitest'
import { parseHostedReference } from '../../../src/kernel/basics/hosted-reference.ts'
import { appVisitor } from '../../support/app-visitor.ts'
import { newCode, shop } from '../../support/payments.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()

it('shows the amount of an open code as suggested, and that of a fixed code as its price', async () => {
  const merchant = await shop(world())
  const owner = await appVisitor(world(), merchant.tenant.businessId)
  const priceOf = async (mode: 'open_amount' | 'fixed_amount') => {
    const address = await newCode(world(), merchant, { mode, amount: 150_000 })
    const id = parseHostedReference(address.split('/').at(-1) ?? '')?.id
    const { text } = await owner.get(`/qr-codes/${id}`)
    return (/<p class="qr-price">(.*?)<\/p>/s.exec(text)?.[1] ?? '').replaceAll(/<[^>]*>/g, '')
  }
  expect(await priceOf('open_amount')).toMatch(/1,500\.00 suggested$/)
  expect(await priceOf('fixed_amount')).toMatch(/1,500\.00$/)
})
