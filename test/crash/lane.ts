// Where operations are swept, one after the other: the built service as a separate process, which
// dies and restarts, its database, and the simulated provider, which lives in the test process with
// its own database, so that it survives. All of them share one clock.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecrets } from '../../src/kernel/auth/secrets.ts'
import { systemClock } from '../../src/kernel/basics/clock.ts'
import { createFailpoint } from '../../src/kernel/basics/failpoint.ts'
import { systemIds } from '../../src/kernel/basics/id.ts'
import { createLog } from '../../src/kernel/basics/log.ts'
import type { ServiceContext } from '../../src/kernel/operations/service-context.ts'
import { createEgress } from '../../src/kernel/webhooks/egress.ts'
import { withProviders } from '../../src/start/start-simulator.ts'
import { createDatabase } from '../support/database.ts'
import { providerWebhookHash, startLastingProvider } from '../support/lasting-provider.ts'
import { checkout, freePort } from '../support/processes.ts'
import {
  type Certificate,
  makeCertificate,
  type Receiver,
  startReceiver,
} from '../support/receiver.ts'
import { secretsKeyOf } from '../support/secrets-key.ts'
import {
  closed,
  isIdle,
  listClaims,
  onLine,
  shift,
  shiftTime,
  until,
} from '../support/timed-process.ts'
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
  const provider = await startLastingProvider(context)
  const receiver = await startReceiver(certificate)
  const flutterwave = {
    baseUrl: `${provider.url}/v3`,
    secretKey: provider.key,
    webhookHash: providerWebhookHash,
  }
  const env = (): Record<string, string> => ({
    PATH: process.env.PATH ?? '',
    PORT: new URL(publicUrl).port,
    SIMULATOR_PORT: '0',
    DATABASE_URL: database.url,
    PUBLIC_URL: publicUrl,
    SECRETS_KEY: key.toString('base64'),
    FLUTTERWAVE_BASE_URL: flutterwave.baseUrl,
    FLUTTERWAVE_SECRET_KEY: flutterwave.secretKey,
    FLUTTERWAVE_WEBHOOK_HASH: providerWebhookHash,
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
