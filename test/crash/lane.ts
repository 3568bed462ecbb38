// Where operations are swept, one after the other: the built service as a separate process, which
// dies and restarts, its database, and the simulated provider, which lives in the test process with
// its own database, so that it survives. All of them share one clock.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecrets } from '../../src/kernel/auth/secrets.ts'
import { systemClock } from '../../src/kernel/basics/clock.ts'
import { createFailpoint } from '../../src/kernel/basics/failpoint.ts'
import { systemIds } from '../../src/kernel/basics/id.ts'
import { createLog } from '../../src/kernel/basics/log.ts'
import type { Tenant } from '../../src/kernel/basics/tenant.ts'
import type { Sql } from '../../src/kernel/db/database.ts'
import { Decimal } from '../../src/kernel/money/decimal.ts'
import type { ServiceContext } from '../../src/kernel/operations/service-context.ts'
import { createEgress } from '../../src/kernel/webhooks/egress.ts'
import { simulatorKey } from '../../src/merchant/provider/choose-provider.ts'
import { createSimulator, listenOnLoopback } from '../../src/simulator/simulator.ts'
import { withProviders } from '../../src/start/start-simulator.ts'
import { createDatabase } from '../support/database.ts'
import { checkout, freePort } from '../support/processes.ts'
import {
  type Certificate,
  makeCertificate,
  type Receiver,
  startReceiver,
} from '../support/receiver.ts'
import { secretsKeyOf } from '../support/secrets-key.ts'
import { createSimulatorControls, type SimulatorControls } from '../support/simulator.ts'
import { type World, worldAt } from '../support/world.ts'

export type Lane = {
  // What the functions of test/support work with; live keys go to the simulated provider.
  readonly world: World
  // Where webhooks can be sent; it survives too.
  readonly receiver: Receiver
  // Starts the service, unless it runs.
  start(): Promise<void>
  isRunning(): boolean
  // Whether the service, or a command, was killed by its failpoint since this was armed.
  hasDied(): boolean
  // What FAILPOINT says from now on: `area.step`, `trace`, or '' for nothing.
  arm(failpoint: string): void
  // The failpoints that were told of since it was armed.
  reached(): string[]
  // Moves every clock on, as soon as no one is at work whose limits would end with it, and waits
  // until all that this made due is done, or the service has died.
  pass(seconds: number): Promise<void>
  // The same without moving the clock.
  settle(): Promise<void>
  // Runs a command of the CLI; answers its exit status, null when it was killed.
  cli(args: readonly string[], input: string): Promise<number | null>
  // What the service has logged as an error so far.
  errors(): string[]
  close(): Promise<void>
}

const key = secretsKeyOf(1)
const webhookHash = 'crash-sweep-webhook-hash'
const shiftTime = join(import.meta.dirname, 'shift-time.ts')
const service = join(checkout, 'dist', 'main.js')
const commands = join(checkout, 'dist', 'cli', 'main.js')

// What lanes share, because making it takes longer than using it.
export type Ground = {
  readonly directory: string
  readonly certificate: Certificate
  // Ended when Node has kept what it compiled.
  compiled: Promise<unknown> | undefined
  close(): void
}

export function createGround(): Ground {
  const directory = mkdtempSync(join(tmpdir(), 'tillbook-crash-'))
  const close = () => rmSync(directory, { recursive: true, force: true })
  return { directory, certificate: makeCertificate(), compiled: undefined, close }
}

export async function createLane(ground: Ground): Promise<Lane> {
  const { certificate } = ground
  const directory = mkdtempSync(join(ground.directory, 'lane-'))
  const failpointFile = join(directory, 'failpoint')
  const database = await createDatabase()
  const publicUrl = `http://127.0.0.1:${await freePort()}`
  let offsetMs = 0
  const clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + offsetMs) }
  const context: ServiceContext = {
    clock,
    ids: systemIds(clock),
    log: createLog('silent'),
    database,
    failpoint: createFailpoint(),
    secrets: createSecrets([{ version: 1, key }]),
    egress: createEgress(),
    publicUrl,
  }
  const provider = await startProvider(context)
  const receiver = await startReceiver(certificate)
  const flutterwave = { baseUrl: `${provider.url}/v3`, secretKey: provider.key, webhookHash }
  const env = (): Record<string, string> => ({
    PATH: process.env.PATH ?? '',
    PORT: new URL(publicUrl).port,
    SIMULATOR_PORT: '0',
    DATABASE_URL: database.url,
    PUBLIC_URL: publicUrl,
    SECRETS_KEY: key.toString('base64'),
    FLUTTERWAVE_BASE_URL: flutterwave.baseUrl,
    FLUTTERWAVE_SECRET_KEY: flutterwave.secretKey,
    FLUTTERWAVE_WEBHOOK_HASH: webhookHash,
    WEBHOOK_ALLOW: '127.0.0.1',
    WEBHOOK_CA_FILE: certificate.path,
    RATE_LIMIT_PER_KEY: '1000000',
    RATE_LIMIT_PER_ADDRESS: '1000000',
    FAILPOINT: `@${failpointFile}`,
    TIME_OFFSET_MS: String(offsetMs),
    NODE_COMPILE_CACHE: join(ground.directory, 'compiled'),
  })
  const told: string[] = []
  const logged: string[] = []
  let deaths = 0
  let running: ChildProcess | undefined
  // What the dead have claimed, and hold for as long as their leases last.
  let orphaned: readonly string[] = []

  const spawnProcess = (script: string, args: readonly string[]): ChildProcess => {
    const command = ['--import', shiftTime, script, ...args]
    const stdio: ('pipe' | 'ipc')[] = ['pipe', 'pipe', 'pipe', 'ipc']
    const child = spawn(process.execPath, command, { cwd: checkout, env: env(), stdio })
    onLine(child, 'stderr', (line) => {
      const name = /^failpoint (\S+)$/.exec(line)?.[1]
      if (name) told.push(name)
      else logged.push(line)
    })
    child.once('close', (_code, signal) => {
      if (signal === 'SIGKILL') deaths += 1
      if (running === child) running = undefined
    })
    return child
  }

  const start = async () => {
    if (running) return
    orphaned = await listClaims(database.sql)
    const child = spawnProcess(service, [])
    running = child
    const { promise: ready, resolve, reject } = Promise.withResolvers<void>()
    onLine(child, 'stdout', (line) => {
      if (line.includes('"msg":"ready"')) resolve()
      if (line.includes('"level":"error"')) logged.push(line)
    })
    child.once('close', () => reject(new Error(`the service did not start: ${logged.join('\n')}`)))
    await ready
  }

  // No one is at anything, nor about to be.
  const untilIdle = (but: readonly string[] = []) =>
    until(
      async () => !running || (await isIdle(database.sql, clock.now(), but)),
      'the service was not done',
    )

  const settle = async () => {
    // Twice, because what the service does may have the provider send something.
    for (let turn = 0; turn < 2; turn += 1) {
      await provider.drain()
      await untilIdle()
    }
  }

  const world = worldAt(withProviders(context, undefined, { flutterwave, ...liveOnly }), {
    simulator: provider.controls,
    database,
    baseUrl: publicUrl,
    logLines: logged,
    close: () => database.drop(),
  })

  writeFileSync(failpointFile, '')
  // A process that ends by itself leaves what Node compiled to those that will not.
  ground.compiled ??= closed(spawnProcess(service, ['migrate']))
  await ground.compiled
  return {
    world,
    receiver,
    start,
    isRunning: () => running !== undefined,
    hasDied: () => deaths > 0,
    arm(failpoint) {
      told.length = 0
      deaths = 0
      writeFileSync(failpointFile, failpoint)
    },
    reached: () => [...told],
    settle,
    async pass(seconds) {
      await untilIdle(orphaned)
      offsetMs += seconds * 1000
      if (running) await shift(running, offsetMs)
      await settle()
    },
    async cli(args, input) {
      const child = spawnProcess(commands, args)
      child.stdin?.end(input)
      return closed(child)
    },
    errors: () => [...logged],
    async close() {
      const ended = running && closed(running)
      running?.kill('SIGKILL')
      await ended
      await provider.close()
      await receiver.close()
      await world.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

const liveOnly = { simulatorServesLive: false }

// One account for all businesses, as a platform has; whose a charge is, its reference says.
async function startProvider(context: ServiceContext) {
  const account: Tenant = { businessId: randomUUID(), environment: 'live' }
  const database = await createDatabase()
  const simulator = await createSimulator(
    { ...context, database },
    {
      webhookTimeoutMs: 60_000,
      openingBalances: { NGN: new Decimal(1_000_000n, 0) },
      defaultWebhook: {
        hash: webhookHash,
        urlFor: (environment) => `${context.publicUrl}/hooks/provider/${environment}`,
      },
    },
  )
  const url = await listenOnLoopback(simulator, 0)
  const { drain } = simulator
  const real = createSimulatorControls({ url, drain })
  const controls: SimulatorControls = {
    ...real,
    pay: (_tenant, reference, card) => real.pay(account, reference, card),
    rule: (_tenant, rule) => real.rule(account, rule),
    removeRules: () => real.removeRules(account),
    effects: (_tenant, reference) => real.effects(account, reference),
    control: (_tenant, method, path, body) => real.control(account, method, path, body),
  }
  const close = async () => {
    await simulator.close()
    await database.drop()
  }
  return { url, key: simulatorKey(account), controls, drain, close }
}

async function listClaims(sql: Sql): Promise<string[]> {
  const rows = await sql<{ claimId: string }[]>`
    select claim_id from kernel.jobs where claim_id is not null
    union all
    select claim_id from kernel.schedules where claim_id is not null
    union all
    select claim_id from kernel.webhook_queue where claim_id is not null`
  return rows.map(({ claimId }) => claimId)
}

// Leaving out what is held by one of these claims, until its lease is over.
async function isIdle(sql: Sql, now: Date, claims: readonly string[]): Promise<boolean> {
  const isFree = (lease: string) => sql`
    not coalesce(claim_id = any(${[...claims]}::uuid[]) and ${sql(lease)} > ${now}, false)`
  const [row] = await sql<{ isIdle: boolean }[]>`
    select not exists (
      select from kernel.jobs
      where dead_at is null
        and run_at <= ${now}
        and ${isFree('lease_until')}
    ) and not exists (
      select from kernel.schedules
      where (next_run_at <= ${now} or lease_until > ${now})
        and ${isFree('lease_until')}
    ) and not exists (
      select from kernel.webhook_queue
      where (run_at <= ${now} or claim_id is not null)
        and ${isFree('leased_until')}
    ) as is_idle`
  return row?.isIdle === true
}

// Its exit status, null after a signal. What it prints must be read for it to end.
function closed(child: ChildProcess): Promise<number | null> {
  child.stdout?.resume()
  return new Promise((resolve) => child.once('close', resolve))
}

function shift(child: ChildProcess, offsetMs: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      child.off('message', done)
      child.off('close', done)
      resolve()
    }
    child.on('message', done)
    child.on('close', done)
    // An error means that it has just died, which `close` tells too.
    child.send({ offsetMs }, () => undefined)
  })
}

function onLine(child: ChildProcess, stream: 'stdout' | 'stderr', take: (line: string) => void) {
  let rest = ''
  child[stream]?.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString('utf8')).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(line)
  })
}

// It only ends what hangs: a busy machine may be slow.
const waitMsMax = 180_000

export async function until(wanted: () => Promise<boolean> | boolean, what: string): Promise<void> {
  const end = performance.now() + waitMsMax
  while (!(await wanted())) {
    if (performance.now() > end) throw new Error(what)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
