// Home shows what came in, and leads to what is behind each figure.
import { expect, it } from 'vitest'
import { appVisitor } from '../../support/app-visitor.ts'
import { newLink, paidPayment, shop } from '../../support/payments.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()

const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/[ \n]+/g, ' ')

it('a new business sees its first steps, and no chart', async () => {
  const { tenant } = await shop(world())
  const visitor = await appVisitor(world(), tenant.businessId)
  const { text } = await visitor.get('')
  expect(text).toContain('First steps')
  expect(text).not.toContain('<svg class="bar-chart ')
})

it('shows the volume of each currency as a chart and as a table', async () => {
  const owner = await shop(world())
  await paidPayment(world(), owner)
  await paidPayment(world(), owner)
  await paidPayment(world(), owner, await newLink(world(), owner, { currency: 'USD', amount: 20 }))
  const visitor = await appVisitor(world(), owner.tenant.businessId, 'viewer')
  const naira = await visitor.get('')
  // Once for wide and once for narrow screens.
  expect(naira.text.match(/class="chart-bar[" ]/g)).toHaveLength(2 * 30)
  expect(textOf(naira.text)).toMatch(/Gross volume NGN\u00a02,000\.00 New/)
  expect(textOf(naira.text)).toContain('Success rate 100.0%')
  expect(textOf(naira.text)).toContain('Fees NGN\u00a030.00')
  const dollars = await visitor.get('?currency=USD')
  expect(textOf(dollars.text)).toMatch(/Gross volume US\$20\.00 New/)
  // The figure leads to the payments behind it.
  const path = /href="\/b\/[^/]*(\/payments\?[^"]*)"[^>]*><span class="money">US\$20\.00/
  const link = path.exec(dollars.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  expect(link).toContain('currency=USD')
  expect(textOf((await visitor.get(link)).text)).toContain('1 payment, collected US$20.00')
})
