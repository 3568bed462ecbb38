// What the operations add to the functions they call.
import { expect, it } from 'vitest'
import { booksEndpoints } from '../../../src/books/webhooks/webhook-operations.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { merchantEndpoints } from '../../../src/merchant/webhooks/webhook-operations.ts'
import { useBooksEndpoints } from '../../support/books-endpoints.ts'

const { world, clock, drain, answer, receiver, actor, event, actsOn, create } = useBooksEndpoints()
const listed = async () => runOperation(booksEndpoints.listEndpoints, world().context, actor(), {})

it('names the endpoints that get the same events at the same address', async () => {
  const url = receiver().url
  const all = await create(null, url)
  const paid = await create(['invoice.paid'], `${url}#fragment`)
  const won = await create(['lead.won'], url)
  const elsewhere = await create(null, `${url}/other`)
  const duplicates = Object.fromEntries(
    (await listed()).map(({ id, duplicateIds }) => [id, duplicateIds]),
  )
  expect(duplicates).toEqual({
    [all.id]: [won.id, paid.id],
    [paid.id]: [all.id],
    [won.id]: [all.id],
    [elsewhere.id]: [],
  })
})

it('changes only the given fields', async () => {
  const { id, url } = await create(['invoice.paid'])
  const update = (changes: object) =>
    runOperation(booksEndpoints.updateEndpoint, world().context, actor(), { id, ...changes })
  expect(await update({ url: `${url}/new` })).toMatchObject({ eventTypes: ['invoice.paid'] })
  expect(await update({ eventTypes: null })).toMatchObject({ url: `${url}/new`, eventTypes: null })
})

it('counts a replay and a redrive without doing them, and does nothing where there is nothing', async () => {
  const { id } = await create(null)
  const { context } = world()
  const range = { id, from: clock.now().toISOString(), to: '2100-01-01T00:00:00Z' }
  const replay = (isDryRun: boolean) =>
    runOperation(booksEndpoints.replayEvents, context, actor(), { ...range, isDryRun })
  const redrive = (isDryRun: boolean) =>
    runOperation(booksEndpoints.redriveDeliveries, context, actor(), { endpointId: id, isDryRun })
  expect(await replay(false)).toEqual({ missing: 0, again: 0, waiting: 0 })
  expect(await redrive(false)).toEqual([{ endpointId: id, count: 0, leftAlone: 0 }])

  answer(200)
  await event('contact.test')
  await drain()
  expect(await replay(true)).toEqual({ missing: 0, again: 1, waiting: 0 })
  expect(await redrive(true)).toEqual([{ endpointId: id, count: 0, leftAlone: 0 }])
  expect((await actsOn(id)).map(({ action }) => action)).toEqual(['webhook.create'])
  expect(await replay(false)).toEqual({ missing: 0, again: 1, waiting: 0 })
  expect((await actsOn(id)).at(-1)).toEqual({ action: 'webhook.replay' })
})

it('finds a delivery with its endpoint, in its own service alone', async () => {
  const { id: endpointId } = await create(null)
  await event('contact.test')
  await drain()
  const { context } = world()
  const log = { id: endpointId }
  const [attempt] = await runOperation(booksEndpoints.listDeliveries, context, actor(), log)
  const wanted = { id: attempt?.deliveryId ?? '' }
  const found = await runOperation(booksEndpoints.getDelivery, context, actor(), wanted)
  expect(found).toMatchObject({ ...wanted, service: 'books', endpoint: { id: endpointId } })
  const elsewhere = [
    () => runOperation(merchantEndpoints.getDelivery, context, actor(), wanted),
    () => runOperation(merchantEndpoints.listDeliveries, context, actor(), log),
    () => runOperation(merchantEndpoints.getEndpoint, context, actor(), log),
  ]
  for (const find of elsewhere) await expect(find()).rejects.toMatchObject({ kind: 'not_found' })
})
