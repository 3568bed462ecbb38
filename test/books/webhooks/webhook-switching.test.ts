// Endpoints of the books that fail: switched off, and on again.
import { describe, expect, it } from 'vitest'
import { booksWebhooks } from '../../../src/books/webhooks/webhook-profile.ts'
import { insertMembership } from '../../../src/kernel/auth/membership-store.ts'
import { insertPerson } from '../../../src/kernel/auth/person-store.ts'
import { finishEndpointsSchedule } from '../../../src/kernel/endpoints/finish-endpoints.ts'
import { listLog } from '../../../src/kernel/endpoints/list-log.ts'
import { deleteEndpoint } from '../../../src/kernel/endpoints/manage-endpoints.ts'
import { replayEvents } from '../../../src/kernel/endpoints/replay-events.ts'
import { retryDelivery } from '../../../src/kernel/endpoints/retry-delivery.ts'
import { sendTestEvent } from '../../../src/kernel/endpoints/send-test-event.ts'
import { switchOnEndpoint } from '../../../src/kernel/endpoints/switch-on.ts'
import { mailNoticeJob } from '../../../src/kernel/notices/notify.ts'
import { findEndpoint } from '../../../src/kernel/webhooks/endpoint-store.ts'
import { useBooksEndpoints } from '../../support/books-endpoints.ts'
import { brokenInvariants, expectInvariants } from '../../support/invariants.ts'
import { workerFor } from '../../support/jobs.ts'
import { attemptsOf, deliveriesOf, newEndpoint } from '../../support/webhooks.ts'

const {
  world,
  clock,
  drain,
  answer,
  receiver,
  tenant,
  actor,
  event,
  types,
  actsOn,
  create,
  failInRow,
} = useBooksEndpoints()
const tend = () => finishEndpointsSchedule.run(world().context, new AbortController().signal)
const stateOf = async (id: string) =>
  (await findEndpoint(world().database.sql, tenant(), 'books', id))?.state

describe('after twenty failures in a row', () => {
  it('the endpoint is off, and its owners are told by mail and in the audit log', async () => {
    const emails = await owners('ada', 'grace')
    const { id } = await create(null, `${receiver().url}?token=of-the-receiver`)
    await failInRow(19)
    expect(await stateOf(id)).toBe('on')
    expect(await mails()).toEqual([])
    await failInRow(1)
    expect(await stateOf(id)).toBe('off')
    const sent = await mails()
    expect(sent.flatMap(({ recipients }) => recipients).toSorted()).toEqual(emails)
    const [mail] = sent
    expect(mail?.subject).toBe(`Webhooks to 127.0.0.1:${receiver().port} are switched off`)
    const page = `/b/${tenant().businessId}/developers/webhooks/books/${id}`
    expect(mail?.bodyText).toContain(`${world().context.publicUrl}${page}\n`)
    expect(JSON.stringify(mail)).not.toContain('of-the-receiver')
    expect((await actsOn(id)).at(-1)).toEqual({ action: 'webhook.switch_off' })
  })

  it('no one is in the way of switching off: not owners without an address, nor none', async () => {
    const { id } = await create(null)
    await failInRow(20)
    expect(await stateOf(id)).toBe('off')
  })

  it('the row is broken by any 2xx, a retry’s as well', async () => {
    const { id } = await create(null)
    await failInRow(19)
    answer(299)
    const [delivery] = await deliveriesOf(world(), tenant())
    await retryDelivery(world().context, actor(), booksWebhooks, delivery?.id ?? '')
    await failInRow(19)
    expect(await stateOf(id)).toBe('on')
    await failInRow(1)
    expect(await stateOf(id)).toBe('off')
  })

  it('a failed retry counts too, and afterwards retries and tests are refused', async () => {
    const { id } = await create(null)
    await failInRow(19)
    const [delivery] = await deliveriesOf(world(), tenant())
    const retry = () => retryDelivery(world().context, actor(), booksWebhooks, delivery?.id ?? '')
    expect(await retry()).toMatchObject({ succeeded: false, attemptNumber: 2 })
    expect(await stateOf(id)).toBe('off')
    await expect(retry()).rejects.toMatchObject({ kind: 'invalid_request' })
    await expect(sendTestEvent(world().context, actor(), booksWebhooks, id)).rejects.toMatchObject({
      kind: 'invalid_request',
    })
  })
})

describe('a retry whose endpoint is switched off or removed before it is sent', () => {
  // Delivered, so that nothing but the retry would be sent.
  async function retryWhile(state: 'off' | 'deleted') {
    const { id } = await create(null)
    await event('contact.test')
    await drain()
    const [delivery] = await deliveriesOf(world(), tenant())
    const { context } = world()
    const database: typeof context.database = {
      ...context.database,
      async transaction(work) {
        const result = await context.database.transaction(work)
        await context.database.sql`
          update kernel.webhook_endpoints
          set state = ${state},
            state_since = ${clock.now()}
          where id = ${id}`
        return result
      },
    }
    receiver().received.length = 0
    const retrying = { ...context, database }
    const retried = retryDelivery(retrying, actor(), booksWebhooks, delivery?.id ?? '')
    return { id, retried }
  }

  it('is refused, and is sent when the endpoint is switched on, as the words say', async () => {
    const { id, retried } = await retryWhile('off')
    const words = 'The endpoint was switched off. The delivery will be sent when it is switched on.'
    await expect(retried).rejects.toMatchObject({ kind: 'invalid_request', error: words })
    expect(receiver().received).toEqual([])
    const { resumed } = await switchOnEndpoint(world().context, actor(), booksWebhooks, id)
    await drain()
    expect([resumed, receiver().received.length]).toEqual([1, 1])
  })

  it('is refused, and leaves nothing behind, when the endpoint was removed', async () => {
    const { retried } = await retryWhile('deleted')
    await expect(retried).rejects.toMatchObject({
      error: 'The endpoint of this delivery was deleted.',
    })
    expect(await deliveriesOf(world(), tenant())).toMatchObject([
      { state: 'delivered', isQueued: false },
    ])
  })
})

describe('switching on', () => {
  // As when the process ends right after the commit.
  async function setOn(id: string): Promise<void> {
    await world().database.sql`
      update kernel.webhook_endpoints
      set state = 'on',
        failures_in_row = 0,
        state_since = ${clock.now()},
        told_since = ${clock.now()}
      where id = ${id}`
  }

  async function switchedOff() {
    const { id } = await create(null)
    await failInRow(20)
    // What is due meanwhile is held back.
    clock.advance(3_600_000)
    await drain()
    const before = receiver().received.length
    await event('contact.meanwhile')
    await event('lead.meanwhile')
    await drain()
    expect(receiver().received).toHaveLength(before)
    answer(200)
    receiver().received.length = 0
    return id
  }

  describe('after a replay that its receiver failed', () => {
    // Delivered, and asked for once more; then the endpoint is switched off in the middle.
    async function cutOff() {
      const from = clock.now()
      const { id } = await create(null)
      for (let count = 0; count < 30; count += 1) await event('contact.test')
      await drain()
      clock.advance(1000)
      const range = { from, to: clock.now() }
      const replayed = await replayEvents(world().context, actor(), booksWebhooks, id, range)
      expect(replayed).toEqual({ missing: 0, again: 30, waiting: 0 })
      answer(503)
      await drain()
      expect(await stateOf(id)).toBe('off')
      clock.advance(3_600_000)
      await drain()
      await expectInvariants(world().database)
      answer(200)
      receiver().received.length = 0
      return { id, failed: (await attemptsOf(world(), tenant())).filter(({ error }) => error) }
    }

    it('goes on with what was not sent', async () => {
      const { id, failed } = await cutOff()
      const left = 30 - failed.length
      expect(left).toBeGreaterThan(0)
      const { resumed } = await switchOnEndpoint(world().context, actor(), booksWebhooks, id)
      expect(resumed).toBe(left)
      await drain()
      expect(receiver().received).toHaveLength(left)
      await expectInvariants(world().database)
    })

    it('goes on although the process ended right after the commit', async () => {
      const { id, failed } = await cutOff()
      await setOn(id)
      await tend()
      await drain()
      expect(receiver().received).toHaveLength(30 - failed.length)
    })

    it('leaves nothing in the queue when the endpoint is deleted', async () => {
      const { id } = await cutOff()
      await deleteEndpoint(world().context, actor(), booksWebhooks, id)
      const states = await deliveriesOf(world(), tenant())
      expect(states.filter(({ state, isQueued }) => state !== 'delivered' || isQueued)).toEqual([])
    })
  })

  it('delivers what was on its way, and offers to replay what happened meanwhile', async () => {
    const offSince = clock.now()
    const id = await switchedOff()
    const { resumed, missed } = await switchOnEndpoint(world().context, actor(), booksWebhooks, id)
    expect(resumed).toBe(20)
    expect(missed.count).toBe(2)
    expect(missed.from >= offSince && missed.to > clock.now()).toBe(true)
    await drain()
    expect(types()).toEqual(Array.from({ length: 20 }, () => 'contact.test'))
    const states = (await deliveriesOf(world(), tenant())).map(({ state }) => state)
    expect(states).toEqual(Array.from({ length: 20 }, () => 'delivered'))
    receiver().received.length = 0
    const range = { ...missed, isMissingOnly: true }
    const replayed = await replayEvents(world().context, actor(), booksWebhooks, id, range)
    expect(replayed).toEqual({ missing: 2, again: 0, waiting: 0 })
    await drain()
    expect(types().toSorted()).toEqual(['contact.meanwhile', 'lead.meanwhile'])
    expect((await actsOn(id)).map(({ action }) => action).slice(-2)).toEqual([
      'webhook.switch_on',
      'webhook.replay',
    ])
  })

  it('offers what was under way when the endpoint was switched off, and saw it off', async () => {
    const { id } = await create(null)
    clock.advance(3_600_000)
    await failInRow(20)
    const off = clock.now()
    // It was dated before, and written after.
    clock.set(new Date(off.getTime() - 5000))
    await event('lead.meanwhile')
    clock.set(new Date(off.getTime() + 60_000))
    const { missed } = await switchOnEndpoint(world().context, actor(), booksWebhooks, id)
    expect(missed.count).toBe(1)
    const range = { ...missed, isMissingOnly: true }
    const replayed = await replayEvents(world().context, actor(), booksWebhooks, id, range)
    expect(replayed).toMatchObject({ missing: 1 })
  })

  it('has the log tell what is planned: nothing while it is off, then what is', async () => {
    const { id } = await create(null)
    await failInRow(19)
    clock.advance(1000)
    const plans = async () => {
      const attempts = await listLog(world().context, tenant(), id)
      return [...new Set(attempts.map(({ nextRetryAt }) => nextRetryAt?.getTime() ?? null))]
    }
    const planned = await plans()
    expect(planned.every((time) => time !== null && time > clock.now().getTime())).toBe(true)
    const [delivery] = await deliveriesOf(world(), tenant())
    const retried = await retryDelivery(world().context, actor(), booksWebhooks, delivery?.id ?? '')
    // The one that switched it off.
    expect(retried).toMatchObject({ succeeded: false, nextRetryAt: null })
    expect(await stateOf(id)).toBe('off')
    expect(await plans()).toEqual([null])
    // Its time has not come, so it is not held, and nothing has changed about it.
    await switchOnEndpoint(world().context, actor(), booksWebhooks, id)
    expect((await plans()).toSorted()).toEqual(planned.toSorted())
    await world().database.sql`
      update kernel.webhook_endpoints
      set state = 'off'
      where id = ${id}`
    clock.advance(60_000)
    await drain()
    expect(await plans()).toEqual([null])
    await switchOnEndpoint(world().context, actor(), booksWebhooks, id)
    expect(await plans()).toEqual([clock.now().getTime()])
  })

  it('tells how many go on at once, how many keep their time, and when the next comes', async () => {
    const { id } = await create(null)
    await failInRow(20)
    // The first retry of all is due, and held; then others fail for the first time.
    clock.advance(60_000)
    await drain()
    await setOn(id)
    await failInRow(20)
    expect(await stateOf(id)).toBe('off')
    const times = (await attemptsOf(world(), tenant())).flatMap(({ nextRetryAt }) =>
      nextRetryAt && nextRetryAt > clock.now() ? [nextRetryAt.getTime()] : [],
    )
    clock.advance(1000)
    const on = await switchOnEndpoint(world().context, actor(), booksWebhooks, id)
    expect(on).toMatchObject({
      resumed: 20,
      planned: { count: 20, nextAt: new Date(Math.min(...times)) },
    })
  })

  it('counts what is due and was not held yet among what goes on at once', async () => {
    const { id } = await create(null)
    await failInRow(20)
    clock.advance(60_000)
    const on = await switchOnEndpoint(world().context, actor(), booksWebhooks, id)
    expect(on).toMatchObject({ resumed: 20, planned: { count: 0, nextAt: null } })
    answer(200)
    receiver().received.length = 0
    await drain()
    expect(receiver().received).toHaveLength(20)
  })

  it('begins anew: with the count of failures, and with what must be told', async () => {
    const id = await switchedOff()
    await switchOnEndpoint(world().context, actor(), booksWebhooks, id)
    const endpoint = await findEndpoint(world().database.sql, tenant(), 'books', id)
    expect(endpoint).toMatchObject({ state: 'on', failuresInRow: 0, stateSince: clock.now() })
    clock.advance(600_000)
    await drain()
    await failInRow(19)
    expect(await stateOf(id)).toBe('on')
    // What happened meanwhile stays untold, unless someone wants it; the invariants know.
    await expectInvariants(world().database)
  })

  it('is finished by a schedule when it was cut off, or a worker came too late', async () => {
    const id = await switchedOff()
    await setOn(id)
    await drain()
    expect(receiver().received).toEqual([])
    await tend()
    await drain()
    expect(receiver().received).toHaveLength(20)
  })

  it('is finished by a schedule also when the service was down for long', async () => {
    const gone = await switchedOff()
    await world().database.sql`
      update kernel.webhook_endpoints
      set state = 'deleted',
        state_since = ${clock.now()}
      where id = ${gone}`
    const on = await switchedOff()
    await setOn(on)
    clock.advance(7 * 86_400_000)
    await tend()
    await drain()
    const states = new Map([
      [on, 'delivered'],
      [gone, 'ended'],
    ])
    const deliveries = await deliveriesOf(world(), tenant())
    expect(deliveries.filter(({ endpointId, state }) => state !== states.get(endpointId))).toEqual(
      [],
    )
    await expectInvariants(world().database)
  })

  it('leaves nothing on hold for a deleted endpoint, though a worker came too late', async () => {
    const id = await switchedOff()
    const states = async () => (await deliveriesOf(world(), tenant())).map(({ state }) => state)
    // As when a worker that had read the endpoint before puts them on hold afterwards.
    await world().database.sql`
      update kernel.webhook_endpoints
      set state = 'deleted',
        state_since = ${clock.now()}
      where id = ${id}`
    expect(new Set(await states())).toEqual(new Set(['held']))
    clock.advance(600_000)
    expect(await brokenInvariants(world().database)).toEqual(['I9.4'])
    await tend()
    expect(new Set(await states())).toEqual(new Set(['ended']))
    await expectInvariants(world().database)
  })

  it('loses nothing that someone retries at the same moment', async () => {
    const id = await switchedOff()
    await setOn(id)
    const [delivery] = await deliveriesOf(world(), tenant())
    receiver().answer(async (_, response) => {
      // While the retry waits for its answer, what was held goes on.
      await tend()
      response.writeHead(500).end()
    })
    const retried = await retryDelivery(world().context, actor(), booksWebhooks, delivery?.id ?? '')
    expect(retried).toMatchObject({ succeeded: false, deadLettered: false })
    const waiting = await deliveriesOf(world(), tenant())
    expect(waiting.find(({ id: one }) => one === delivery?.id)).toMatchObject({
      state: 'open',
      isQueued: true,
    })
    await expectInvariants(world().database)
    answer(200)
    await drain()
    const states = (await deliveriesOf(world(), tenant())).map(({ state }) => state)
    expect(new Set(states)).toEqual(new Set(['delivered']))
  })

  it('is refused when the endpoint is on, or there is none', async () => {
    const { id } = await create(null)
    const { context } = world()
    await expect(switchOnEndpoint(context, actor(), booksWebhooks, id)).rejects.toMatchObject({
      kind: 'invalid_request',
    })
    const merchant = await newEndpoint(world(), tenant(), receiver().url)
    await expect(
      switchOnEndpoint(context, actor(), booksWebhooks, merchant.id),
    ).rejects.toMatchObject({ kind: 'not_found' })
  })
})

async function owners(...names: string[]): Promise<string[]> {
  const { database, context } = world()
  const createdAt = clock.now()
  const emails: string[] = []
  await database.transaction(async (tx) => {
    for (const name of names) {
      const id = context.ids.uuid()
      const email = `${name}-${id}@example.com`
      await insertPerson(tx, { id, email, name, twoFactorEnabled: false, createdAt })
      const { businessId } = tenant()
      await insertMembership(tx, { businessId, personId: id, role: 'owner', createdAt })
      emails.push(email)
    }
  })
  return emails.toSorted()
}

async function mails() {
  await workerFor(world().context, { jobs: [mailNoticeJob] }).drain()
  return world().database.sql<{ recipients: string[]; subject: string; bodyText: string }[]>`
    select recipients, subject, body_text
    from kernel.mails
    where business_id = ${tenant().businessId}`
}
