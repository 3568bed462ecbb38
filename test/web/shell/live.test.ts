// Open pages are told when something has changed in their business.
import { expect, it } from 'vitest'
import { appVisitor } from '../../support/app-visitor.ts'
import { newLink, shop } from '../../support/payments.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()

it('a change in the business reaches the stream; a page with a form has none', async () => {
  const owner = await shop(world())
  const visitor = await appVisitor(world(), owner.tenant.businessId)
  expect((await visitor.get('/payments')).text).toContain('data-live="/b/')
  expect((await visitor.get('/payment-links/new')).text).not.toContain('data-live')

  const response = await fetch(`${world().baseUrl}/b/${owner.tenant.businessId}/live`, {
    headers: visitor.headers(),
  })
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  let text = ''
  for await (const piece of response.body ?? []) {
    text += Buffer.from(piece).toString()
    if (text.includes('retry:') && !text.includes('refresh')) await newLink(world(), owner)
    if (text.includes('<turbo-stream action="refresh">')) break
  }
  expect(text).toContain('<turbo-stream action="refresh">')
})
