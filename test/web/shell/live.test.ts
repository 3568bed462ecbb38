// Open pages are told when something has changed in their business.
import { expect, it } from 'vitest'
import { access } from '../../../src/app/access.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
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

it('the stream of a removed person ends, and leads their page to the sign-in', async () => {
  const { tenant } = await shop(world())
  const visitor = await appVisitor(world(), tenant.businessId, 'viewer')
  const operator = { kind: 'system', name: 'test', ...tenant } as const
  const response = await fetch(`${world().baseUrl}/b/${tenant.businessId}/live`, {
    headers: visitor.headers(),
  })
  let text = ''
  for await (const piece of response.body ?? []) {
    if (text === '') {
      const { personId } = visitor
      await runOperation(access.removeMember, world().context, operator, { personId })
    }
    text += Buffer.from(piece).toString()
  }
  expect(text.match(/<turbo-stream action="refresh">/g)).toHaveLength(1)
  const page = await visitor.get('')
  expect(page.headers.get('location')).toMatch(/^\/sign-in/)
})

it('the stream does not keep an idle session open', async () => {
  const { tenant } = await shop(world())
  const visitor = await appVisitor(world(), tenant.businessId)
  const { sql } = world().database
  const seen = async () => {
    const [row] = await sql<{ hours: number }[]>`
      select floor(extract(epoch from now() - last_seen_at) / 3600)::int as hours
      from kernel.sessions
      where person_id = ${visitor.personId}`
    return row?.hours
  }
  await sql`
    update kernel.sessions
    set last_seen_at = last_seen_at - interval '2 hours'
    where person_id = ${visitor.personId}`
  const response = await fetch(`${world().baseUrl}/b/${tenant.businessId}/live`, {
    headers: visitor.headers(),
  })
  await response.body?.cancel()
  expect(await seen()).toBe(2)
  await visitor.get('/payments')
  expect(await seen()).toBe(0)
})
