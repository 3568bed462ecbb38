// The index of settings, and the pages that show and change the business.
import { expect, it } from 'vitest'
import { appVisitor } from '../../support/app-visitor.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()

it('leads to pages that the person may open', async () => {
  const viewer = await appVisitor(world(), await world().business(), 'viewer')
  const { text } = await viewer.get('/settings')
  const paths = [...text.matchAll(/class="card setting" href="\/b\/[^/"]*([^"]*)"/g)]
  expect(paths.length).toBeGreaterThan(5)
  for (const [, path = ''] of paths) expect((await viewer.get(path)).status).toBe(200)
})

it('keeps the details of the business, and shows times in its zone', async () => {
  const owner = await appVisitor(world(), await world().business(), 'owner')
  const wrong = await owner.submit('/settings/business/edit', { timeZone: 'Mars/Olympus' })
  expect(wrong.status).toBe(422)
  const details = { legalName: 'Corner shop Ltd', address: '1 High Street\r\nLagos' }
  const answer = await owner.submit('/settings/business/edit', {
    ...details,
    timeZone: 'Africa/Lagos',
  })
  expect(answer.status).toBe(303)
  const { text } = await owner.get('/settings/business')
  for (const shown of ['Corner shop Ltd', '1 High Street\nLagos', 'Africa/Lagos']) {
    expect(text).toContain(shown)
  }
})

it('shows the fee that applies', async () => {
  const viewer = await appVisitor(world(), await world().business(), 'viewer')
  expect((await viewer.get('/settings/fees')).text).toContain('1.5 %')
})
