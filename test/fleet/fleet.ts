// Several processes of the built service on one database and one Redis, behind a balancer, as a
// larger installation runs them. Processes, the way to the database and Redis can be taken away;
// the provider and the receiver of webhooks live in the test's process and stay.
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createSecrets } from '../../src/kernel/auth/secrets.ts'
import { systemClock } from '../../src/kernel/basics/clock.ts'
import { createFailpoint } from '../../src/kernel/basics/failpoint.ts'
import { systemIds } from '../../src/kernel/basics/id.ts'
import { createLog } from '../../src/kernel/basics/log.ts'
import { createEgress } from '../../src/kernel/webhooks/egress.ts'
import { withProviders } from '../../src/start/start-simulator.ts'
import { createDatabase } from '../support/database.ts'
import { restartableProxy } from '../support/database-proxy.ts'
import { providerWebhookHash, startLastingProvider } from '../support/lasting-provider.ts'
import { checkout, freePort } from '../support/processes.ts'
import { makeCertificate, type Receiver, startReceiver } from '../support/receiver.ts'
import { type RedisServer, startRedis } from '../support/redis.ts'
import { secretsKeyOf } from '../support/secrets-key.ts'
import { closed, isIdle, onLine, shift, shiftTime, until } from '../support/timed-process.ts'
import { type World, worldAt } from '../support/world.ts'
import { startBalancer } from './balancer.ts'

export type Role = 'api' | 'worker'

export type Member = {
  readonly role: Role
  readonly port: number
  // Where its built code lies.
  readonly home: string
  readonly process: ChildProcess
}

export type Fleet = {
  // What the functions of test/support work with; calls go through the balancer.
  readonly world: World
  readonly receiver: Receiver
  readonly redis: RedisServer
  // The way of all processes to the database.
  readonly wayToDatabase: { start(): Promise<void>; stop(): Promise<void> }
  members(): readonly Member[]
  start(role: Role, home?: string): Promise<void>
  // Ends it as told, and starts one like it, of the code at `home`.
  replace(member: Member, how: 'SIGTERM' | 'SIGKILL', home?: string): Promise<void>
  // Lets hours pass, until nothing is left to do.
  settle(hours: number): Promise<void>
  // What the processes have written to standard error, and what they have logged as an error.
  errors(): readonly string[]
}

const secretsKey = secretsKeyOf(1)

// Ends with the test.
export async function startFleet(): Promise<Fleet> {
  const database = await createDatabase()
  const members: Member[] = []
  const apiPorts = () => members.filter(({ role }) => role === 'api').map(({ port }) => port)
  const [balancer, redis] = await Promise.all([startBalancer(apiPorts), startRedis()])
  const wayToDatabase = await restartableProxy(database.url)
  let offsetMs = 0
  const clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + offsetMs) }
  const context = {
    clock,
    ids: systemIds(clock),
    log: createLog('silent'),
    database,
    failpoint: createFailpoint(),
    secrets: createSecrets([{ version: 1, key: secretsKey }]),
    egress: createEgress(),
    publicUrl: balancer.url,
  }
  const certificate = makeCertificate()
  const provider = await startLastingProvider(context)
  const receiver = await startReceiver(certificate)
  const flutterwave = {
    baseUrl: `${provider.url}/v3`,
    secretKey: provider.key,
    webhookHash: providerWebhookHash,
  }
  const errors: string[] = []
  const settings = (role: Role, port: number): Record<string, string> => ({
    PATH: process.env.PATH ?? '',
    ROLE: role,
    PORT: String(port),
    SIMULATOR_PORT: '0',
    DATABASE_URL: wayToDatabase.url,
    DATABASE_POOL_SIZE: '5',
    REDIS_URL: redis.url,
    PUBLIC_URL: balancer.url,
    SECRETS_KEY: secretsKey.toString('base64'),
    FLUTTERWAVE_BASE_URL: flutterwave.baseUrl,
    FLUTTERWAVE_SECRET_KEY: flutterwave.secretKey,
    FLUTTERWAVE_WEBHOOK_HASH: flutterwave.webhookHash,
    WEBHOOK_ALLOW: '127.0.0.1',
    WEBHOOK_CA_FILE: certificate.path,
    RATE_LIMIT_PER_KEY: '1000000',
    RATE_LIMIT_PER_ADDRESS: '1000000',
    TIME_OFFSET_MS: String(offsetMs),
  })

  const start = async (role: Role, home = checkout) => {
    const port = await freePort()
    const child = spawn(process.execPath, ['--import', shiftTime, join(home, 'dist', 'main.js')], {
      cwd: home,
      env: settings(role, port),
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    const { promise: ready, resolve, reject } = Promise.withResolvers<void>()
    onLine(child, 'stderr', (line) => errors.push(line))
    onLine(child, 'stdout', (line) => {
      if (line.includes('"msg":"ready"')) resolve()
      if (line.includes('"level":"error"')) errors.push(line)
    })
    child.once('close', () => reject(new Error(`it did not start: ${errors.join('\n')}`)))
    await ready
    members.push({ role, port, home, process: child })
  }

  const end = async (member: Member, how: 'SIGTERM' | 'SIGKILL') => {
    const ended = closed(member.process)
    member.process.kill(how)
    await ended
    members.splice(members.indexOf(member), 1)
  }

  const untilIdle = async () => {
    // Twice, because what the service does may have the provider send something.
    for (let turn = 0; turn < 2; turn += 1) {
      await provider.drain()
      await until(() => isIdle(database.sql, clock.now(), []), 'something was left to do')
    }
  }

  const world = worldAt(
    withProviders(context, undefined, { flutterwave, simulatorServesLive: false }),
    {
      simulator: provider.controls,
      database,
      baseUrl: balancer.url,
      logLines: errors,
      close: () => database.drop(),
    },
  )

  onTestFinished(async () => {
    await Promise.all([...members].map((member) => end(member, 'SIGKILL')))
    await Promise.all([provider.close(), receiver.close(), balancer.close(), redis.stop()])
    await world.close()
  })
  return {
    world,
    receiver,
    redis,
    wayToDatabase,
    members: () => [...members],
    start,
    async replace(member, how, home = member.home) {
      await end(member, how)
      await start(member.role, home)
    },
    async settle(hours) {
      await untilIdle()
      for (let hour = 0; hour < hours; hour += 1) {
        offsetMs += 3_600_000
        await Promise.all(members.map(({ process }) => shift(process, offsetMs)))
        await untilIdle()
      }
    },
    errors: () => [...errors],
  }
}
