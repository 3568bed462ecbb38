// Endpoints and deliveries at the terminal.
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { booksWebhooks } from '../../src/books/webhooks/webhook-profile.ts'
import {
  createWebhookCommand,
  deleteWebhookCommand,
  pingWebhook,
  promoteWebhookSecret,
  rotateWebhookSecret,
  showWebhooks,
  switchOnWebhook,
  updateWebhookCommand,
} from '../../src/cli/commands/webhooks/webhook-commands.ts'
import {
  redriveWebhooks,
  replayWebhooks,
  retryWebhook,
  showDeliveries,
} from '../../src/cli/commands/webhooks/webhook-delivery-commands.ts'
import type { Command, CommandOptions } from '../../src/cli/core/command.ts'
import { readSettings } from '../../src/config.ts'
import { createPeople } from '../../src/kernel/auth/people.ts'
import type { Tenant } from '../../src/kernel/basics/tenant.ts'
import { keyOf, runCli } from '../support/cli.ts'
import { handOutPrinted } from '../support/run-log.ts'
import { useWebhookWorld } from '../support/webhook-world.ts'
import { attemptsOf, deliveriesOf, newEndpoint, newEvent } from '../support/webhooks.ts'

const { world, clock, drain, answer, receiver, certificatePath } = useWebhookWorld()
let tenant: Tenant
beforeEach(async () => {
  tenant = { businessId: await world().business(), environment: 'live' }
})

async function run(command: Command, options: CommandOptions = {}, status = 0): Promise<string> {
  const printed: string[] = []
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    printed.push(String(chunk))
    return true
  })
  try {
    const { context } = world()
    const people = () => createPeople(context, context)
    const given = { business: tenant.businessId, ...options }
    const settings = readSettings([])
    expect(await command.run({ context, settings, people, askSecrets: vi.fn() }, given)).toBe(
      status,
    )
    handOutPrinted(printed.join(''))
    return printed.join('')
  } finally {
    write.mockRestore()
  }
}
const json = async (command: Command, options: CommandOptions = {}) =>
  JSON.parse(await run(command, { json: true, ...options }))

const events = async (count: number, type = 'payment.test') => {
  for (let number = 0; number < count; number += 1) await newEvent(world(), tenant, { type })
}

describe('cli webhooks', () => {
  it('creates, lists, changes and deletes an endpoint of the books', async () => {
    const url = receiver().url
    const printed = await run(createWebhookCommand, {
      service: 'books',
      url,
      events: 'invoice.paid, lead.won',
    })
    expect(printed).toMatch(/^whsec_\w{43}\n\nEndpoint [0-9a-f-]{36}\. The secret is shown/)
    const [{ id }] = await json(showWebhooks, { service: 'books' })
    expect(await run(showWebhooks, { service: 'books' })).toBe(
      `${id}  on   ${url}\n  events     invoice.paid, lead.won\n`,
    )
    const changed = await json(updateWebhookCommand, { endpoint: id, events: 'all' })
    expect(changed).toMatchObject({ events: null, url })
    expect(await run(updateWebhookCommand, { endpoint: id, url: `${url}/b` })).toContain('/b\n')
    expect(await run(deleteWebhookCommand, { endpoint: id })).toBe(`Removed ${id}.\n`)
    expect(await run(showWebhooks, { service: 'books' })).toContain('None yet.')
  })

  it('creates an endpoint of the merchant, which gets every event', async () => {
    const { secret, ...endpoint } = await json(createWebhookCommand, {
      service: 'merchant',
      url: receiver().url,
      test: true,
    })
    expect(secret).toMatch(/^whsec_/)
    expect(endpoint).toMatchObject({ service: 'merchant', events: null, state: 'on' })
    const events = 'payment.succeeded'
    const some = { service: 'merchant', url: receiver().url, events }
    await expect(run(createWebhookCommand, some)).rejects.toMatchObject({
      kind: 'invalid_request',
    })
  })

  it('takes an address twice, and says that events then arrive there twice', async () => {
    const reported: string[] = []
    const write = vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
      reported.push(String(chunk))
      return true
    })
    onTestFinished(() => write.mockRestore())
    const made = async (events: string, path = '') =>
      json(createWebhookCommand, { service: 'books', url: `${receiver().url}${path}`, events })
    const first = await made('invoice.paid,lead.won')
    await made('contact.created')
    const other = await made('all', '/other')
    expect(reported).toEqual([])
    const told = (id: string) =>
      `Warning: the same address is also registered as ${id}, so it receives each event more than once.\n`
    const second = await made('lead.won', '#twice')
    expect(reported).toEqual([told(first.id)])
    await run(updateWebhookCommand, { endpoint: second.id, url: other.url })
    expect(reported.at(-1)).toBe(told(other.id))
    expect(await json(showWebhooks, { service: 'books' })).toHaveLength(4)
  })

  it('names what it shows as the interface does', async () => {
    const { text: key } = await world().key({ service: 'merchant', ...tenant })
    const { id } = await newEndpoint(world(), tenant, receiver().url)
    answer(500)
    await events(1)
    await drain()
    const base = '/merchant/api/v1/webhooks'
    const answered = async (method: 'GET' | 'POST', path: string) =>
      (await world().call(method, `${base}${path}`, { key })).body
    const [listed] = await json(showWebhooks, { service: 'merchant' })
    expect(listed).toMatchObject((await answered('GET', '')).data[0])
    const log = await json(showDeliveries, { endpoint: id })
    const { data } = await answered('GET', `/${id}/deliveries`)
    const { request: _request, response: _response, ...shown } = data[0]
    expect(log).toEqual([shown])
    const [{ id: delivery, next_retry_at: next }] = log
    expect(await run(showDeliveries, { endpoint: id })).toContain(`next_retry_at ${next}\n`)
    answer(200)
    const retried = JSON.parse(await run(retryWebhook, { delivery, json: true }))
    const again = await answered('POST', `/deliveries/${delivery}/retry`)
    expect(retried).toEqual({ ...again, attempt_number: 2 })
  })

  it('tells an operator whether a name exists, which businesses are not told', async () => {
    const { id } = await newEndpoint(world(), tenant, receiver().url)
    answer(500)
    await events(1)
    await drain()
    await world().database.sql`
      update kernel.webhook_attempts
      set error = 'name',
        status_code = null
      where endpoint_id = ${id}`
    expect(await run(showDeliveries, { endpoint: id })).toContain('  - name  next_retry_at ')
    expect(await json(showDeliveries, { endpoint: id })).toMatchObject([{ error: 'name' }])
  })

  it('queues a test, and shows what came of it', async () => {
    const { id } = await newEndpoint(world(), tenant, receiver().url, 'books', ['lead.won'])
    expect(await run(showDeliveries, { endpoint: id })).toBe('Nothing has been sent yet.\n')
    const { delivery_id: deliveryId } = await json(pingWebhook, { endpoint: id })
    await drain()
    expect(await run(showDeliveries, { endpoint: id })).toBe(
      `${clock.now().toISOString()}  ${deliveryId}  test.ping  #1  200 ok\n`,
    )
  })

  it('rotates a secret, shows until when the old one signs, and promotes the new one', async () => {
    const { id } = await newEndpoint(world(), tenant, receiver().url)
    const until = new Date(clock.now().getTime() + 3_600_000).toISOString()
    const printed = await run(rotateWebhookSecret, { endpoint: id, 'overlap-hours': '1' })
    expect(printed).toContain(`The old one still signs until ${until}.`)
    expect(await run(showWebhooks, { service: 'merchant' })).toContain(`old secret until ${until}`)
    await run(promoteWebhookSecret, { endpoint: id })
    const rotated = await json(rotateWebhookSecret, { endpoint: id, 'overlap-hours': '0' })
    expect(rotated).toMatchObject({ old_secret_until: null })
  })

  it('retries a delivery at once, and its status tells whether it succeeded', async () => {
    const { id } = await newEndpoint(world(), tenant, receiver().url)
    answer(500)
    await events(1)
    const [delivery] = await deliveriesOf(world(), tenant)
    const failed = await run(retryWebhook, { delivery: delivery?.id }, 1)
    expect(failed).toContain('payment.test  #1 manual  500 status  next_retry_at ')
    answer(200)
    expect(await run(retryWebhook, { delivery: delivery?.id })).toContain('#2 manual  200 ok')
    expect(receiver().received).toHaveLength(2)
    expect(await run(showDeliveries, { endpoint: id })).toContain('#1 manual  500 status')
  })

  it('hints at settings of the service that the command was not given', async () => {
    await newEndpoint(world(), tenant, receiver().url)
    await events(1)
    const [delivery] = await deliveriesOf(world(), tenant)
    const own = {
      DATABASE_URL: world().database.url,
      PUBLIC_URL: 'https://pay.example.com',
      SECRETS_KEY: keyOf(1),
    }
    const cli = (env: Record<string, string>, ...args: string[]) =>
      runCli({ ...own, ...env }, 'webhooks', ...args, '--business', tenant.businessId)
    const retry = (env: Record<string, string>) =>
      cli(env, 'retry', '--delivery', delivery?.id ?? '')
    const blind = await retry({})
    expect([blind.status, blind.stderr]).toEqual([
      1,
      'The address is not public. If the service runs with WEBHOOK_ALLOW, set the same ' +
        'WEBHOOK_ALLOW for this command.\n',
    ])
    // It says nothing about the endpoint, so nothing is logged of it.
    expect(await attemptsOf(world(), tenant)).toEqual([])
    const allowed = { WEBHOOK_ALLOW: '127.0.0.1' }
    expect((await retry(allowed)).stderr).toMatch(
      /^The certificate is not trusted.*WEBHOOK_CA_FILE/,
    )
    const done = await retry({ ...allowed, WEBHOOK_CA_FILE: certificatePath })
    expect(done).toMatchObject({ status: 0, stderr: '' })
    const refused = await cli({}, 'create', '--service', 'books', '--url', receiver().url)
    expect(refused.stderr).toMatch(
      /not public.*WEBHOOK_ALLOW.*\nurl: Must resolve to a public address/,
    )
  })

  it('counts and replays a time range', async () => {
    const { id } = await newEndpoint(world(), tenant, receiver().url, 'books')
    for (const type of ['contact.test', 'lead.test']) {
      await newEvent(world(), tenant, { service: 'books', type })
    }
    const { text: key } = await world().key({ service: 'books', ...tenant })
    await world().call('POST', '/books/api/v1/contacts', { key, body: { name: 'Adaeze Ltd' } })
    await drain()
    const range = {
      endpoint: id,
      from: clock.now().toISOString(),
      to: new Date(clock.now().getTime() + 1).toISOString(),
    }
    expect(await run(replayWebhooks, { ...range, 'dry-run': true })).toBe(
      'Would queue 3:\n  0 that had no delivery\n' +
        '  3 that were delivered before or are dead letters\n' +
        '0 more are already waiting.\n',
    )
    expect(await json(replayWebhooks, { ...range, missing: true })).toMatchObject({ again: 0 })
    expect(await json(replayWebhooks, { ...range, type: 'contact.created' })).toEqual({
      missing: 0,
      again: 1,
      waiting: 0,
    })
    await drain()
    expect(receiver().received).toHaveLength(4)
    await expect(run(replayWebhooks, { ...range, to: '2026-03-02' })).rejects.toThrow(
      '--to must be a time like',
    )
  })

  it('replays no events that there are not, and lists those that there are', async () => {
    const moments = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z', 'dry-run': true }
    const { id } = await newEndpoint(world(), tenant, receiver().url)
    const ofMerchant = { ...moments, endpoint: id }
    const wrong = run(replayWebhooks, { ...ofMerchant, type: 'payout.failed,payment.suceeded' })
    await expect(wrong).rejects.toThrow(
      '--type: merchant sends no payment.suceeded; there are payment.succeeded, payment.failed, ' +
        'payment.refunded, payout.completed, payout.failed',
    )
    const right = await run(replayWebhooks, { ...ofMerchant, type: 'payout.failed' })
    expect(right).toContain('Would queue 0:')
    const books = await newEndpoint(world(), tenant, receiver().url, 'books')
    const mixedUp = { ...moments, endpoint: books.id, type: 'payout.failed' }
    await expect(run(replayWebhooks, mixedUp)).rejects.toThrow('books sends no payout.failed; ')
  })

  it('redrives dead letters of one endpoint, or of all of a service', async () => {
    const { id } = await newEndpoint(world(), tenant, receiver().url)
    expect(await run(redriveWebhooks, { service: 'merchant' })).toBe('There are no dead letters.\n')
    answer(500)
    await events(2)
    for (const minutes of [0, 1, 5, 30, 120]) {
      clock.advance(minutes * 60_000)
      await drain()
    }
    expect(await run(redriveWebhooks, { endpoint: id, 'dry-run': true })).toBe(
      `       2  ${id}\nwould be queued\n`,
    )
    expect(await json(redriveWebhooks, { service: 'merchant' })).toEqual([
      { webhook_id: id, count: 2, left_alone: 0 },
    ])
    answer(200)
    await drain()
    expect(await run(redriveWebhooks, { endpoint: id })).toBe('There are no dead letters.\n')
  })

  it('names endpoints that are off with the dead letters that it leaves alone there', async () => {
    const { id } = await newEndpoint(world(), tenant, receiver().url, 'books')
    const failing = async (count: number, waits: readonly number[]) => {
      for (let number = 0; number < count; number += 1) {
        await newEvent(world(), tenant, { service: 'books', type: 'contact.test' })
      }
      for (const seconds of waits) {
        // The longest that chance can make of it.
        clock.advance(seconds * 1100)
        await drain()
      }
    }
    answer(500)
    await failing(2, [0, ...booksWebhooks.retryDelaysSeconds])
    await failing(4, [0])
    for (const dryRun of [true, false]) {
      const printed = await run(redriveWebhooks, { service: 'books', 'dry-run': dryRun })
      expect(printed).toBe(
        `       2  ${id}\nnot queued: the endpoint is off. When the receiver works again, run:\n` +
          `  cli webhooks on --business ${tenant.businessId} --endpoint ${id}\n` +
          `  cli webhooks redrive --business ${tenant.businessId} --endpoint ${id}\n`,
      )
    }
    expect(await json(redriveWebhooks, { service: 'books' })).toEqual([
      { webhook_id: id, count: 0, left_alone: 2 },
    ])
    await expect(run(redriveWebhooks, { endpoint: id })).rejects.toThrow('Switch it on first')
    answer(200)
    await run(switchOnWebhook, { endpoint: id })
    await drain()
    expect(await run(redriveWebhooks, { endpoint: id })).toBe(`       2  ${id}\nqueued\n`)
  })

  it('switches an endpoint on, and says how to replay what happened meanwhile', async () => {
    const { id } = await newEndpoint(world(), tenant, receiver().url, 'books')
    answer(500)
    const type = 'contact.test'
    for (let count = 0; count < 20; count += 1) {
      await newEvent(world(), tenant, { service: 'books', type })
      await drain()
    }
    const offSince = clock.now().toISOString()
    expect(await run(showWebhooks, { service: 'books' })).toContain(`off since  ${offSince}`)
    expect(await run(showDeliveries, { endpoint: id })).toMatch(
      /500 status\nThe endpoint is off\. `cli webhooks on` continues its waiting deliveries\.\n$/,
    )
    clock.advance(600_000)
    await drain()
    await newEvent(world(), tenant, { service: 'books', type })
    const printed = await run(switchOnWebhook, { endpoint: id })
    expect(printed).toContain('On. Deliveries that continue now: 20.\n')
    expect(printed).not.toContain('planned time')
    expect(printed).toContain('missed while it was off: 1. To send them too:')
    expect(printed).toContain(`--endpoint ${id} --missing --from ${offSince} --to `)
  })

  it('switches an endpoint on, and says how much keeps its planned time', async () => {
    const { id } = await newEndpoint(world(), tenant, receiver().url, 'books')
    answer(500)
    for (let count = 0; count < 20; count += 1) {
      await newEvent(world(), tenant, { service: 'books', type: 'contact.test' })
      await drain()
    }
    const times = (await attemptsOf(world(), tenant)).map(({ nextRetryAt }) => nextRetryAt ?? 0)
    const next = new Date(Math.min(...times.map(Number))).toISOString()
    expect(await run(switchOnWebhook, { endpoint: id })).toBe(
      `On. Deliveries that continue now: 0.\n` +
        `Deliveries that keep their planned time: 20, the next at ${next}.\n`,
    )
  })

  it('tells what was typed wrongly', async () => {
    const { id } = await newEndpoint(world(), tenant, receiver().url)
    const cases: [Command, CommandOptions, string][] = [
      [showWebhooks, {}, '--service is missing'],
      [showWebhooks, { service: 'bank' }, '--service must be merchant or books'],
      [deleteWebhookCommand, { endpoint: 'x' }, '--endpoint is not an id: x'],
      [deleteWebhookCommand, { endpoint: id, test: true }, 'the business has no endpoint'],
      [updateWebhookCommand, { endpoint: id }, 'use --url or --events'],
      [
        createWebhookCommand,
        { service: 'books', url: receiver().url, events: 'invoice.paid,test.ping' },
        '--events: test.ping cannot be chosen; `cli webhooks ping` sends it to any endpoint',
      ],
      [retryWebhook, { delivery: id }, `the business has no delivery ${id}`],
      [redriveWebhooks, {}, '--service is missing'],
    ]
    for (const [command, options, message] of cases) {
      await expect(run(command, options)).rejects.toThrow(message)
    }
  })
})
