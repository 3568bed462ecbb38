// The bell of the application: what is unread, opening it, and marking it as read.
import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { mailNoticeJob, notify } from '../../../src/kernel/notices/notify.ts'
import { type AppVisitor, appVisitor } from '../../support/app-visitor.ts'
import { workerFor } from '../../support/jobs.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()

let businessId: string
let owner: AppVisitor
let other: AppVisitor

beforeEach(async () => {
  businessId = await world().business()
  owner = await appVisitor(world(), businessId)
  other = await appVisitor(world(), businessId, 'admin')
})

async function tell(subject: string): Promise<void> {
  const { context, database } = world()
  const notice = { kind: 'transfers', fact: randomUUID(), subject, lines: [subject] } as const
  const tenant = { businessId, environment: 'live' } as const
  await database.transaction((tx) => notify(tx, context, tenant, { ...notice, path: '/payouts' }))
  await workerFor(context, { jobs: [mailNoticeJob] }).drain()
}

const token = () => ({ form_token: world().context.ids.uuid() })
const unread = (html: string) => /place-badge">(\d+)<span[^>]*> unread/.exec(html)?.[1]
const addressIn = (html: string) =>
  /action="\/b\/[^/]+(\/notices\/[^/]+\/open)"/.exec(html)?.[1] ?? ''

it('every page shows what is unread, and opening it leads to its page and marks it as read', async () => {
  await tell('The first payout')
  await tell('The second payout')
  const page = await owner.get('/payments')
  expect(unread(page.text)).toBe('2')
  expect(page.text.indexOf('The second payout')).toBeLessThan(page.text.indexOf('The first payout'))
  const opened = await owner.post(addressIn(page.text), token())
  expect(opened.headers.get('location')).toBe(`/b/${businessId}/payouts`)
  const after = await owner.get('/payments')
  expect(unread(after.text)).toBe('1')
  expect(after.text).not.toContain('The second payout')
  expect((await owner.get('/notices')).text).toContain('The second payout')
  expect((await owner.get('/notices?show=unread')).text).not.toContain('The second payout')
  // Others have their own bell.
  expect(unread((await other.get('/payments')).text)).toBe('2')
})

it('all are marked as read at once', async () => {
  await tell('A payout')
  const done = await owner.post('/notices/read', token())
  expect(done.headers.get('location')).toBe(`/b/${businessId}/notices`)
  expect(unread((await owner.get('/notices')).text)).toBeUndefined()
  expect(unread((await other.get('/notices')).text)).toBe('1')
})

it('a notice of someone else is not found', async () => {
  await tell('A payout')
  const theirs = addressIn((await owner.get('/payments')).text)
  const late = await appVisitor(world(), businessId, 'admin')
  expect((await late.post(theirs, token())).status).toBe(409)
  expect(unread((await owner.get('/payments')).text)).toBe('1')
})

it('reaches an open page', async () => {
  const response = await fetch(`${world().baseUrl}/b/${businessId}/live`, {
    headers: owner.headers(),
  })
  let text = ''
  for await (const piece of response.body ?? []) {
    text += Buffer.from(piece).toString()
    if (text.includes('retry:') && !text.includes('refresh')) await tell('A payout')
    if (text.includes('<turbo-stream action="refresh">')) break
  }
  expect(text).toContain('<turbo-stream action="refresh">')
})
