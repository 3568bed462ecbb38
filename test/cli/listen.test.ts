// Listening as a developer does: a separate process beside the service, and a program that verifies
// the events with the module that receivers install. `npm test` has one of each form of output.
import { createServer, type Server } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Tenant } from '../../src/kernel/basics/tenant.ts'
import { replayEvents } from '../../src/kernel/endpoints/replay-events.ts'
import { publish } from '../../src/kernel/webhooks/event.ts'
import { merchantWebhooks } from '../../src/merchant/webhooks/webhook-profile.ts'
import {
  receiveWebhook,
  WebhookError,
  type WebhookEvent,
} from '../../src/webhook-receiver/webhooks.ts'
import { keyOf, runCli } from '../support/cli.ts'
import { restartableProxy } from '../support/database-proxy.ts'
import { freePort, type Service, startCli } from '../support/processes.ts'
import { useWebhookWorld } from '../support/webhook-world.ts'
import { newEndpoint, newEvent } from '../support/webhooks.ts'

// Half a year from the time of this machine, which must not matter.
const { clock, world, call, receiver, drain, subscriber } = useWebhookWorld()

const env = () => ({
  DATABASE_URL: world().database.url,
  PUBLIC_URL: 'https://pay.example.com',
  SECRETS_KEY: keyOf(1),
})

type Program = {
  url: string
  readonly events: WebhookEvent[]
  answer: number
  stop(): Promise<void>
  start(): Promise<void>
}

// The developer's own. Its secret is the one that the command shows.
async function program(): Promise<Program & { secret: string }> {
  let server: Server
  // One that stays free while it does not listen.
  const port = await freePort()
  const own = {
    url: `http://127.0.0.1:${port}/hook`,
    secret: '',
    events: [] as WebhookEvent[],
    answer: 200,
    async start() {
      server = createServer(async (request, response) => {
        try {
          own.events.push(await receiveWebhook(request, own.secret))
          response.writeHead(own.answer, { location: '/elsewhere' }).end()
        } catch (error) {
          response.writeHead(error instanceof WebhookError ? error.status : 500).end()
        }
      })
      await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  await own.start()
  onTestFinished(() => own.stop())
  return own
}

async function listening({ businessId }: Tenant, ...args: string[]): Promise<Service> {
  const service = startCli(env(), 'listen', '--business', businessId, ...args)
  if (!args.includes('--json')) await service.until('Press Ctrl-C to quit.')
  return service
}

async function forwarding(tenant: Tenant, ...args: string[]) {
  const own = await program()
  const command = await listening(tenant, '--forward-to', own.url, ...args)
  await command.until('signed with whsec_')
  own.secret = /whsec_\w+/.exec(command.stdout())?.[0] ?? ''
  return { own, command }
}

const lines = (command: Service) =>
  command
    .stdout()
    .split('\n')
    .filter((line) => /^\d{4}-/.test(line))

describe('cli listen', () => {
  it('prints what happens from now on, of both services and environments', async () => {
    const { tenant } = await subscriber()
    await newEvent(world(), tenant, { type: 'payment.before' })
    const command = await listening(tenant)
    await newEvent(world(), tenant, { type: 'payment.first' })
    // The clock stands still, and events of the same moment have no order.
    await command.until('payment.first')
    // Before the others, so that it would have been printed when they are.
    const others = { ...tenant, businessId: await world().business() }
    await newEvent(world(), others, { type: 'x.other' })
    await newEvent(world(), { ...tenant, environment: 'test' }, { type: 'payment.second' })
    await newEvent(world(), tenant, { service: 'books', type: 'contact.renamed' })
    await command.until('payment.second')
    await command.until('contact.renamed')
    const [first = ''] = lines(command)
    expect(lines(command)).toHaveLength(3)
    expect(first).toMatch(/^2026-03-01T12:00:00.000Z {2}live {2}payment.first +[0-9a-f-]{36}$/)
  })

  it('prints only the selected events', { tags: ['long'] }, async () => {
    const { tenant } = await subscriber()
    const command = await listening(
      tenant,
      ...['--service', 'merchant', '--live', '--events', 'invoice.issued'],
    )
    await newEvent(world(), tenant, { type: 'payment.first' })
    await newEvent(world(), tenant, { service: 'books', type: 'invoice.issued' })
    await newEvent(world(), { ...tenant, environment: 'test' }, { type: 'invoice.issued' })
    await newEvent(world(), tenant, { type: 'invoice.issued' })
    await command.until('invoice.issued')
    expect(lines(command)).toHaveLength(1)
  })

  it('prints what commits after something later did', { tags: ['long'] }, async () => {
    const { tenant } = await subscriber()
    const command = await listening(tenant)
    const { promise, resolve } = Promise.withResolvers<void>()
    const late = world().database.transaction(async (tx) => {
      const objectId = world().context.ids.uuid()
      const event = { service: 'merchant', type: 'payment.second', objectId, data: {} }
      await publish(tx, world().context, tenant, event)
      await promise
    })
    clock.advance(5000)
    await newEvent(world(), tenant, { type: 'payment.first' })
    await command.until('payment.first')
    resolve()
    await late
    await command.until('payment.second')
  })

  it('forwards what happens, signed for the secret that it shows', async () => {
    const { tenant } = await subscriber()
    const { own, command } = await forwarding(tenant)
    const id = await newEvent(world(), tenant, { type: 'payment.first' })
    await newEvent(world(), tenant, { service: 'books', type: 'test.ping', data: { a: 'ø' } })
    await command.until('test.ping')
    expect(own.events).toMatchObject([
      { service: 'merchant', type: 'payment.first', data: { id } },
      { service: 'books', type: 'test.ping', org_id: tenant.businessId, data: { a: 'ø' } },
    ])
    expect(lines(command)[0]).toMatch(/ {2}200 in \d+ ms$/)
  })

  it('prints what the program answers, follows nothing, and goes on', {
    tags: ['long'],
  }, async () => {
    const { tenant } = await subscriber()
    const { own, command } = await forwarding(tenant)
    for (const answer of [503, 307, 204]) {
      own.answer = answer
      await newEvent(world(), tenant, { type: 'payment.second' })
      await command.until(`${answer} in`)
    }
    expect(own.events).toHaveLength(3)
  })

  it('waits for a program that is being started again', { tags: ['long'] }, async () => {
    const { tenant } = await subscriber()
    const { own, command } = await forwarding(tenant)
    await own.stop()
    await newEvent(world(), tenant, { type: 'payment.second' })
    await newEvent(world(), tenant, { type: 'payment.first' })
    await own.start()
    await command.until('payment.first')
    expect(own.events.map(({ type }) => type)).toEqual(['payment.second', 'payment.first'])
    expect(lines(command).every((line) => line.includes('200 in'))).toBe(true)
  })

  it('goes on where it was when the database was away, and says so', {
    tags: ['long'],
  }, async () => {
    const { tenant } = await subscriber()
    const proxy = await restartableProxy(world().database.url)
    const own = await program()
    const command = startCli(
      { ...env(), DATABASE_URL: proxy.url },
      ...['listen', '--business', tenant.businessId, '--forward-to', own.url],
    )
    await command.until('signed with whsec_')
    own.secret = /whsec_\w+/.exec(command.stdout())?.[0] ?? ''
    await newEvent(world(), tenant, { type: 'payment.first' })
    await command.until('payment.first')
    await proxy.stop()
    await command.until('The database is not available')
    clock.advance(1000)
    await newEvent(world(), tenant, { type: 'payment.second' })
    await proxy.start()
    await command.until('The database is available again.')
    await command.until('payment.second')
    clock.advance(1000)
    await newEvent(world(), tenant, { type: 'contact.renamed' })
    await command.until('contact.renamed')
    const types = own.events.map(({ type }) => type)
    expect(types).toEqual(['payment.first', 'payment.second', 'contact.renamed'])
    expect(command.stdout().match(/The database is/g)).toHaveLength(2)
    command.kill('SIGTERM')
    expect(await command.ended).toBe(0)
    expect(command.stderr()).toBe('')
  })

  it('ends cleanly while the database is away', { tags: ['long'] }, async () => {
    const { tenant } = await subscriber()
    const proxy = await restartableProxy(world().database.url)
    const command = startCli(
      { ...env(), DATABASE_URL: proxy.url },
      ...['listen', '--business', tenant.businessId, '--json'],
    )
    await expect.poll(() => command.stderr()).toContain('Press Ctrl-C to quit.')
    await proxy.stop()
    await expect.poll(() => command.stderr()).toContain('The database is not available')
    command.kill('SIGINT')
    expect(await command.ended).toBe(0)
    expect(command.stdout()).toBe('')
  })

  it('forwards what is sent again and what is replayed, under the same id', {
    tags: ['long'],
  }, async () => {
    const { tenant, key, id: endpointId } = await subscriber()
    await newEvent(world(), tenant, { type: 'payment.first' })
    await drain()
    const { own, command } = await forwarding(tenant)
    const log = await call('GET', `/merchant/api/v1/webhooks/${endpointId}/deliveries`, { key })
    const [delivery] = log.body.data
    await call('POST', `/merchant/api/v1/webhooks/deliveries/${delivery.id}/retry`, { key })
    await command.until('resent')
    expect(lines(command)).toHaveLength(1)
    clock.advance(60_000)
    const later = await newEndpoint(world(), tenant, `${receiver().url}/later`)
    const actor = { ...tenant, kind: 'system', name: 'test' } as const
    const now = clock.now()
    const wish = { from: new Date(now.getTime() - 600_000), to: now }
    await replayEvents(world().context, actor, merchantWebhooks, later.id, wish)
    await drain()
    await expect.poll(() => lines(command).length).toBe(2)
    expect(new Set(own.events.map(({ id }) => id)).size).toBe(1)
    expect(own.events).toHaveLength(2)
  })

  it('leaves endpoints and their deliveries alone', { tags: ['long'] }, async () => {
    const { tenant } = await subscriber()
    const { command } = await forwarding(tenant)
    await newEvent(world(), tenant, { type: 'payment.first' })
    const before = await stateOf(tenant)
    await command.until('200 in')
    expect(await stateOf(tenant)).toEqual(before)
    expect(receiver().received).toEqual([])
    await drain()
    expect(receiver().received).toHaveLength(1)
  })

  it('prints one JSON object a line and nothing else with --json', async () => {
    const { tenant } = await subscriber()
    const own = await program()
    const command = await listening(tenant, '--json', '--forward-to', own.url)
    await expect.poll(() => command.stderr()).toContain('whsec_')
    own.secret = /whsec_\w+/.exec(command.stderr())?.[0] ?? ''
    const id = await newEvent(world(), tenant, {
      type: 'payment.first',
      data: { amount: 90_071_992_547_409_931n },
    })
    await command.until('\n')
    expect(command.stdout()).toContain('"amount": 90071992547409931')
    expect(JSON.parse(command.stdout())).toMatchObject({
      type: 'payment.first',
      environment: 'live',
      resent: false,
      forwarded: { status: 200, error: null },
    })
    expect(id).toMatch(/-/)
  })

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'ends cleanly on %s, also while it waits',
    { tags: ['long'] },
    async (signal) => {
      const { tenant } = await subscriber()
      const { own, command } = await forwarding(tenant)
      await own.stop()
      await newEvent(world(), tenant, { type: 'payment.first' })
      command.kill(signal)
      expect(await command.ended).toBe(0)
      expect(command.stdout().trimEnd().split('\n').at(-1)).toBe('Stopped.')
      expect(command.stderr()).toBe('')
      await own.start()
    },
  )

  it('ends when no one reads what it prints', { tags: ['long'] }, async () => {
    const { tenant } = await subscriber()
    const command = await listening(tenant)
    command.process.stdout?.destroy()
    await newEvent(world(), tenant, { type: 'payment.first' })
    expect(await command.ended).toBe(0)
    expect(command.stderr()).toBe('')
  })

  it('shows the same secret each time, and another one for another business', async () => {
    const secretOf = async (businessId: string) => {
      const { stdout } = await runCli(env(), 'listen', '--print-secret', '--business', businessId)
      return stdout.trim()
    }
    const [one, other] = [await world().business(), await world().business()]
    const secret = await secretOf(one)
    expect(secret).toMatch(/^whsec_[0-9A-Za-z]{43}$/)
    expect(await secretOf(one)).toBe(secret)
    expect(await secretOf(other)).not.toBe(secret)
  })

  it.each([
    ['no business, of several', [], /--business is missing, and there are \d+ businesses/],
    ['a business that is not there', ['--business', 'x'], /there is no business x/],
    ['an event that is not there', ['--events', 'payment.made'], /there is no event payment.made/],
    ['a service that is not there', ['--service', 'shop'], /must be merchant or books/],
    ['an address that is none', ['--forward-to', 'ftp://a/'], /--forward-to must be a web address/],
  ])('says what is wrong with %s', async (_, args, message) => {
    await world().business()
    await world().business()
    const { status, stderr } = await runCli(env(), 'listen', ...args)
    expect([status, stderr]).toEqual([64, expect.stringMatching(message)])
  })
})

async function stateOf(tenant: Tenant): Promise<unknown> {
  const { sql } = world().database
  const { businessId } = tenant
  return Promise.all([
    sql`select * from kernel.webhook_endpoints where business_id = ${businessId}`,
    sql`select * from kernel.webhook_deliveries where business_id = ${businessId}`,
    sql`select * from kernel.webhook_queue where business_id = ${businessId}`,
    sql`select * from kernel.webhook_attempts where business_id = ${businessId}`,
  ])
}
