// A whole application with its own database, listening on loopback, with short factories for tests.
// Requests go over real HTTP.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll } from 'vitest'
import { type ApplicationSettings, createApplication } from '../../src/app/application.ts'
import { createBusiness, type NewBusiness } from '../../src/app/create-business.ts'
import { services } from '../../src/app/services.ts'
import type { BooksContext } from '../../src/books/context.ts'
import { createDocumentDrawing } from '../../src/books/documents/pdf/drawing.ts'
import { issueApiKey, type NewApiKey } from '../../src/kernel/auth/issue-api-key.ts'
import { insertPerson } from '../../src/kernel/auth/person-store.ts'
import { createSecrets } from '../../src/kernel/auth/secrets.ts'
import type { Clock } from '../../src/kernel/basics/clock.ts'
import { systemClock } from '../../src/kernel/basics/clock.ts'
import { createFailpoint } from '../../src/kernel/basics/failpoint.ts'
import { systemIds } from '../../src/kernel/basics/id.ts'
import { createLog } from '../../src/kernel/basics/log.ts'
import type { Mailer } from '../../src/kernel/mail/mailer.ts'
import type { ServiceContext } from '../../src/kernel/operations/service-context.ts'
import type { DeliveryWorker } from '../../src/kernel/webhooks/delivery-worker.ts'
import { createEgress, type EgressOptions } from '../../src/kernel/webhooks/egress.ts'
import type { MerchantContext } from '../../src/merchant/context.ts'
import { startSimulator, withProviders } from '../../src/start/start-simulator.ts'
import { createDatabase, type TestDatabase } from './database.ts'
import { freePort } from './processes.ts'
import { handOut, keepLog } from './run-log.ts'
import { createSimulatorControls, type SimulatorControls } from './simulator.ts'

export type World = {
  context: MerchantContext
  // The simulated payment provider, which serves test keys and, in a world, live keys as well.
  simulator: SimulatorControls
  database: TestDatabase
  baseUrl: string
  // Every log line that the application has written so far.
  logLines: string[]
  // Sends webhooks when told to, unless the background work runs. Only of a world in this process.
  deliveries?: DeliveryWorker
  // Writes the log of API requests now.
  flushRequests?(): Promise<void>
  business(overrides?: Partial<NewBusiness>): Promise<string>
  key(wanted: WantedKey): Promise<{ id: string; text: string; businessId: string }>
  // The default creator of keys: a person who can't sign in.
  keyMaker(): Promise<string>
  call(method: string, path: string, options?: CallOptions): Promise<CallResult>
  // Ends background work before a test looks at the state. Only in this process.
  stopWork?(): Promise<void>
  close(): Promise<void>
}

export type WantedKey = Partial<NewApiKey> & { service: 'merchant' | 'books'; businessId?: string }

export type CallOptions = {
  key?: string
  body?: unknown
  // The body as it goes over the wire, for what JSON.stringify would not write.
  rawBody?: string | Uint8Array
  headers?: Record<string, string>
}

export type CallResult = {
  status: number
  headers: Headers
  text: string
  bytes: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any
}

export type WorldOptions = {
  clock?: Clock
  settings?: Partial<ApplicationSettings>
  // Whether work in the background runs; most tests are about requests.
  worker?: boolean
  // How long the provider is waited for.
  providerTimeoutMs?: number
  // Without it the live keys of businesses that are no demo have no provider.
  simulatorServesLive?: boolean
  // Where webhooks may go, and what they trust.
  egress?: EgressOptions
  // Without one, mails are kept.
  mailer?: Mailer
  // For processes beside the world, which must open what it has sealed.
  secretsKey?: Buffer
  // Instead of a separate one; dropped with the world.
  database?: TestDatabase
  // Makes the public address the one that the world listens at, for browsers.
  isReachable?: boolean
  // The name in that address; browsers offer passkeys only to names.
  hostname?: 'localhost'
}

export async function createWorld(options: WorldOptions = {}): Promise<World> {
  const clock = options.clock ?? systemClock
  const database = options.database ?? (await createDatabase())
  const port = options.isReachable ? await freePort() : 0
  const logLines: string[] = []
  // The bank account of the demo, and of most tests.
  handOut('0690000031')
  const log = createLog('debug', {
    write(line) {
      logLines.push(line)
      keepLog(line)
    },
  })
  const drawing = createDocumentDrawing({ log })
  const base: BooksContext = {
    clock,
    ids: systemIds(clock),
    log,
    database,
    drawing,
    failpoint: createFailpoint(),
    verifiesCalls: true,
    secrets: createSecrets([{ version: 1, key: options.secretsKey ?? randomBytes(32) }]),
    egress: createEgress(options.egress),
    mailer: options.mailer,
    publicUrl:
      port === 0 ? 'https://tillbook.example' : `http://${options.hostname ?? '127.0.0.1'}:${port}`,
  }
  let baseUrl: string | undefined
  const simulator = await startSimulator(base, { port: 0, ownUrl: () => baseUrl })
  const context = withProviders(base, simulator, {
    flutterwave: undefined,
    simulatorServesLive: options.simulatorServesLive ?? true,
    ...(options.providerTimeoutMs !== undefined && { timeoutMs: options.providerTimeoutMs }),
  })
  const application = await createApplication(
    {
      publicUrl: context.publicUrl,
      redisUrl: undefined,
      trustProxy: { kind: 'none' },
      // High, so that only tests of the limits meet them.
      rateLimitPerKey: 1_000_000,
      rateLimitPerAddress: 1_000_000,
      metricsToken: undefined,
      role: 'all',
      workerSlots: 4,
      ...options.settings,
    },
    context,
    simulator.pages,
  )
  const ownUrl = await application.fastify.listen({ host: '127.0.0.1', port })
  baseUrl = ownUrl
  application.setReady(true)
  if (options.worker) application.worker.start()
  return worldAt(context, {
    simulator: createSimulatorControls(simulator),
    database,
    baseUrl: ownUrl,
    logLines,
    deliveries: application.deliveries,
    flushRequests: application.requests.flush,
    stopWork: application.worker.stop,
    async close() {
      await application.worker.stop()
      const closing = application.fastify.close()
      // A stream that a test has left would be waited for.
      application.fastify.server.closeAllConnections()
      await closing
      await drawing.close()
      await simulator.close()
      await database.drop()
    },
  })
}

type Running = Pick<
  World,
  | 'simulator'
  | 'database'
  | 'baseUrl'
  | 'logLines'
  | 'deliveries'
  | 'flushRequests'
  | 'stopWork'
  | 'close'
>

// The same for an application that runs elsewhere; the context is for what is put in directly.
export function worldAt(context: MerchantContext, running: Running): World {
  const business = (overrides?: Partial<NewBusiness>) => insertBusiness(context, overrides)
  let maker: Promise<string> | undefined
  const keyMaker = () => {
    maker ??= insertKeyMaker(context)
    return maker
  }
  return {
    ...running,
    context,
    business,
    key: async (wanted) => {
      const createdBy = wanted.createdBy ?? (await keyMaker())
      return issueKey(context, wanted.businessId ?? (await business()), { ...wanted, createdBy })
    },
    keyMaker,
    call: (method, path, options) => call(running.baseUrl, method, path, options),
  }
}

// For a test file: one world for all its tests.
export function useWorld(options: WorldOptions = {}): () => World {
  let world: World | undefined
  beforeAll(async () => {
    world = await createWorld(options)
  })
  afterAll(async () => {
    await world?.close()
    // The worker goes on to other files, and remembers this one.
    world = undefined
  })
  return () => {
    if (!world)
      throw new Error('the world is made before the first test, not while they are listed')
    return world
  }
}

async function insertBusiness(
  context: ServiceContext,
  overrides: Partial<NewBusiness> = {},
): Promise<string> {
  return context.database.transaction((tx) =>
    createBusiness(tx, context, 'test', {
      name: 'Corner shop',
      country: 'NG',
      baseCurrency: 'NGN',
      contactEmail: 'shop@example.com',
      contactPhone: '+2348000000000',
      kycStatus: 'verified',
      isDemo: false,
      ...overrides,
    }),
  )
}

async function insertKeyMaker({ database, ids, clock }: ServiceContext): Promise<string> {
  const id = ids.uuid()
  const person = { email: `${id}@example.com`, name: 'Key maker', twoFactorEnabled: false }
  await database.transaction((tx) => insertPerson(tx, { id, ...person, createdAt: clock.now() }))
  return id
}

async function issueKey(
  context: ServiceContext,
  businessId: string,
  wanted: WantedKey & { createdBy: string },
) {
  const service = services.find(({ name }) => name === wanted.service)
  if (!service) throw new Error(`there is no service ${wanted.service}`)
  const environment = wanted.environment ?? 'live'
  const actor = { kind: 'system', name: 'test', businessId, environment } as const
  const { id, text } = await context.database.transaction((tx) =>
    issueApiKey(tx, context, actor, service, {
      name: 'Test key',
      scopes: service.scopes,
      ...wanted,
      environment,
    }),
  )
  handOut(text)
  return { id, text, businessId }
}

async function call(
  baseUrl: string,
  method: string,
  path: string,
  { key, body, rawBody, headers = {} }: CallOptions = {},
): Promise<CallResult> {
  const payload = rawBody ?? (body === undefined ? undefined : JSON.stringify(body))
  const response = await fetch(baseUrl + path, {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(payload === undefined ? {} : { body: payload as BodyInit }),
    redirect: 'manual',
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const text = bytes.toString()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return {
    status: response.status,
    headers: response.headers,
    text,
    bytes,
    // The answer to HEAD has a type and no body.
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  }
}
