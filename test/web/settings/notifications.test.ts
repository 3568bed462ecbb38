import { expect, it } from 'vitest'
import { appVisitor } from '../../support/app-visitor.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()

it('a person chooses their notices, and the page shows the choice', async () => {
  const visitor = await appVisitor(world(), await world().business(), 'owner')
  const boxOf = (html: string, kind: string, name = 'kinds') =>
    new RegExp(`<input[^>]*name="${name}"[^>]*value="${kind}"[^>]*>`).exec(html)?.[0] ?? ''
  const before = (await visitor.get('/settings/notifications')).text
  expect(boxOf(before, 'transfers')).toContain('checked')
  expect(boxOf(before, 'approvals')).toContain('disabled')
  const answer = await visitor.submit('/settings/notifications', {
    kinds: 'failures',
    shownKinds: 'quotes',
  })
  expect(answer.status).toBe(303)
  const after = (await visitor.get('/settings/notifications')).text
  expect(boxOf(after, 'failures')).toContain('checked')
  expect(boxOf(after, 'transfers')).not.toContain('checked')
  expect(boxOf(after, 'quotes', 'shownKinds')).toContain('checked')
  expect(boxOf(after, 'failures', 'shownKinds')).not.toContain('checked')
})
