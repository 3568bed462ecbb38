// The simulator with its own database, on loopback, with its payer pages on a second server and a
// receiver for its webhooks. Every test creates its own merchant, so that tests don't affect each
// other.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll } from 'vitest'
import { createFailpoint } from '../../src/kernel/basics/failpoint.ts'
import { systemIds } from '../../src/kernel/basics/id.ts'
import { createLog } from '../../src/kernel/basics/log.ts'
import { createApp } from '../../src/kernel/http/app.ts'
import { createMetrics } from '../../src/kernel/http/metrics.ts'
import { loadAssets } from '../../src/kernel/web/assets.ts'
import { mountPages } from '../../src/kernel/web/mount-pages.ts'
import { createSimulator, listenOnLoopback } from '../../src/simulator/simulator.ts'
import { type ManualClock, manualClock } from '../support/clock.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { generousLimits } from '../support/page-limits.ts'

export type Answer = {
  status: number
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into webhooks of every shape
export type Received = { headers: IncomingHttpHeaders; body: any }

export type Merchant = {
  key: string
  call(method: string, path: string, body?: unknown): Promise<Answer>
  control(method: string, path: string, body?: unknown): Promise<Answer>
  // A link and its payment by the payer, with everything due done: the transaction as verified.
  // biome-ignore lint/suspicious/noExplicitAny: a transaction as the provider shows it
  paid(order?: Record<string, unknown>, card?: string): Promise<any>
  link(order?: Record<string, unknown>): Promise<{ txRef: string; url: URL }>
  effects(reference: string): Promise<Record<string, number>>
  rule(rule: Record<string, unknown>): Promise<Answer>
  drain(): Promise<void>
  webhooks: Received[]
}

export type Provider = {
  // Stands still until a test moves it, so no test depends on the time of day.
  clock: ManualClock
  database: TestDatabase
  apiUrl: string
  // Webhooks of test worlds that were told no address.
  unaddressed: Received[]
  pagesUrl: string
  merchant(environment?: 'test' | 'live'): Promise<Merchant>
  // The same tables under a new server, as after a restart.
  restart(): Promise<void>
  close(): Promise<void>
}

let count = 0

export async function createProvider(): Promise<Provider> {
  const clock = manualClock()
  const database = await createDatabase()
  const receiver = await startReceiver()
  const log = createLog('silent')
  // The link must be known before the pages are: any address serves, tests replace its origin.
  const publicUrl = 'https://tillbook.example'
  const ids = systemIds(clock)
  const context = { clock, ids, log, database, failpoint: createFailpoint(), publicUrl }
  const unaddressed = receiver.open('default-test')
  const options = {
    webhookTimeoutMs: 60_000,
    defaultWebhook: {
      hash: 'default hash',
      urlFor: (environment: string) => `${receiver.url}/default-${environment}`,
    },
  }
  let simulator = await createSimulator(context, options)
  let apiUrl = await listenOnLoopback(simulator, 0)
  const pages = createApp(context, createMetrics())
  const site = {
    publicUrl,
    assets: loadAssets(),
    nav: [],
    action: { href: '/', text: 'Home' },
    signedInAction: { href: '/', text: '' },
    footer: '',
  }
  await mountPages(pages, simulator.pages, {
    site,
    addressOf: () => '127.0.0.1',
    log: context.log,
    limits: generousLimits(),
  })
  const pagesUrl = await pages.listen({ host: '127.0.0.1', port: 0 })

  return {
    clock,
    database,
    get apiUrl() {
      return apiUrl
    },
    pagesUrl,
    unaddressed,
    async merchant(environment = 'test') {
      count += 1
      const name = `shop${count}`
      const key = environment === 'test' ? `FLWSECK_TEST-${name}-X` : `FLWSECK-${name}-X`
      const webhooks = receiver.open(name)
      const made = merchantOf(() => apiUrl, key, webhooks)
      await made.control('PUT', '/world', {
        webhook_url: `${receiver.url}/${name}`,
        webhook_hash: `hash of ${name}`,
        magic_amounts: false,
      })
      return made
    },
    async restart() {
      await simulator.close()
      simulator = await createSimulator(context, options)
      apiUrl = await listenOnLoopback(simulator, 0)
    },
    async close() {
      await pages.close()
      await simulator.close()
      await receiver.close()
      await database.drop()
    },
  }
}

export function useProvider(): () => Provider {
  let provider: Provider | undefined
  beforeAll(async () => {
    provider = await createProvider()
  })
  afterAll(async () => {
    await provider?.close()
  })
  return () => {
    if (!provider) throw new Error('the provider starts before the first test')
    return provider
  }
}

export async function callApi(
  url: string,
  method: string,
  key: string | undefined,
  body?: unknown,
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, text, body: parseOrNothing(text) }
}

let referenceCount = 0

export function reference(): string {
  referenceCount += 1
  return `order-${referenceCount}`
}

function merchantOf(apiUrl: () => string, key: string, webhooks: Received[]): Merchant {
  const call: Merchant['call'] = (method, path, body) =>
    callApi(`${apiUrl()}/v3${path}`, method, key, body)
  const control: Merchant['control'] = async (method, path, body) => {
    const answer = await callApi(`${apiUrl()}/control${path}`, method, key, body)
    if (answer.status >= 500) throw new Error(`the control API failed: ${answer.text}`)
    return answer
  }
  const link: Merchant['link'] = async (order = {}) => {
    const txRef = reference()
    const answer = await call('POST', '/payments', {
      tx_ref: txRef,
      amount: 1000,
      currency: 'NGN',
      redirect_url: 'https://shop.example/back?basket=7',
      customer: { email: 'payer@example.com', name: 'Test Payer', phonenumber: '0800' },
      ...order,
    })
    if (answer.status !== 200) throw new Error(answer.text)
    return { txRef: String(order.tx_ref ?? txRef), url: new URL(answer.body.data.link) }
  }
  return {
    key,
    call,
    control,
    link,
    webhooks,
    async paid(order, card = 'no_auth') {
      const { txRef } = await link(order)
      const answer = await control('POST', '/pay', { tx_ref: txRef, card })
      if (answer.status !== 200) throw new Error(answer.text)
      await control('POST', '/drain')
      const verified = await call('GET', `/transactions/verify_by_reference?tx_ref=${txRef}`)
      return verified.body.data
    },
    async effects(wanted) {
      return (await control('GET', `/effects?reference=${wanted}`)).body.counts
    },
    async rule(rule) {
      const answer = await control('POST', '/rules', rule)
      if (answer.status !== 201) throw new Error(answer.text)
      return answer
    },
    async drain() {
      await control('POST', '/drain')
    },
  }
}

function parseOrNothing(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function startReceiver() {
  const inboxes = new Map<string, Received[]>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString())
      inboxes.get((request.url ?? '').slice(1))?.push({ headers: request.headers, body })
      response.end('ok')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    open(name: string): Received[] {
      const inbox: Received[] = []
      inboxes.set(name, inbox)
      return inbox
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
