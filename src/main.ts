// Entry point of the service: settings, then the database, then the parts that the role needs.
// Shutdown is in the opposite order. This file only connects parts.
import { hostname } from 'node:os'
import { createApplication } from './app/application.ts'
import type { BooksContext } from './books/context.ts'
import { createDocumentDrawing } from './books/documents/pdf/drawing.ts'
import { ConfigError, configurationErrorStatus, readSettings, type Settings } from './config.ts'
import { createSecrets } from './kernel/auth/secrets.ts'
import { systemClock } from './kernel/basics/clock.ts'
import { createFailpoint } from './kernel/basics/failpoint.ts'
import { systemIds } from './kernel/basics/id.ts'
import { createLog, type Log } from './kernel/basics/log.ts'
import { StartError } from './kernel/basics/start-error.ts'
import { connect, type Database } from './kernel/db/database.ts'
import type { ServiceProcess } from './kernel/db/process-store.ts'
import type { ServiceContext } from './kernel/operations/service-context.ts'
import { findLiveProvider } from './merchant/provider/live-provider-store.ts'
import {
  closeAll,
  drain,
  type Resource,
  type Runnable,
  type Stop,
  stopOnSignals,
  watchConnections,
} from './start/lifecycle.ts'
import { openEgress } from './start/open-egress.ts'
import { openMailer } from './start/open-mailer.ts'
import { checkSecrets, openStorage, prepareDatabase } from './start/open-storage.ts'
import { fillSampleDataJob } from './start/sample/fill-sample-data.ts'
import { isPublicUrl, loopbackUrl } from './start/setting-values.ts'
import { removeSetupCode } from './start/setup-code-file.ts'
import { showProcess } from './start/show-process.ts'
import { claimLiveProvider, startSimulator, withProviders } from './start/start-simulator.ts'
import { listen, portProblem, welcome } from './start/welcome.ts'

async function main(): Promise<number> {
  try {
    const settings = readSettings(process.argv.slice(2))
    return await run(settings, createLog(settings.logLevel))
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    for (const problem of error.problems) process.stderr.write(`${problem}\n`)
    return configurationErrorStatus
  }
}

async function run(settings: Settings, log: Log): Promise<number> {
  const resources: Resource[] = []
  const stop = stopOnSignals(log, resources)
  try {
    await start(settings, log, stop, resources)
    if (settings.role === 'migrate') return 0
    return await stop.requested
  } catch (error) {
    if (error instanceof StartError) process.stderr.write(`${error.message}\n`)
    else if (!stop.signal.aborted) log.error({ err: error }, 'start failed')
    return stop.signal.aborted ? stop.requested : 1
  } finally {
    await closeAll(resources, log)
  }
}

async function start(
  settings: Settings,
  log: Log,
  stop: Stop,
  resources: Resource[],
): Promise<void> {
  const clock = systemClock
  const ids = systemIds(clock)
  const storage = await openStorage(settings, { ids, log, stop, resources })
  const own = { id: ids.uuid(), role: settings.role, host: hostname() }
  const isLasting = settings.role !== 'migrate'
  const applied = await migrated(storage.databaseUrl, log, isLasting ? own : undefined)
  const database = connect({ url: storage.databaseUrl, poolSize: settings.databasePoolSize })
  resources.push(database)
  const secrets = createSecrets(storage.secretsRing)
  await checkSecrets(database, secrets)
  stop.signal.throwIfAborted()
  if (!isLasting) return
  resources.push(showProcess(database, { clock, log }, own.id))

  const { publicUrl } = settings
  const failpoint = createFailpoint(settings.failpoint)
  const egress = openEgress(settings)
  const mailer = openMailer(settings)
  const shared = { clock, ids, log, database, failpoint, secrets }
  const drawing = createDocumentDrawing({ log })
  resources.push(drawing)
  const base: BooksContext = { ...shared, egress, mailer, publicUrl, drawing }
  const simulator = await startedSimulator(base, settings)
  resources.push(simulator)
  const { flutterwave } = settings
  const simulatorServesLive = storage.embedded && (await mayServeLive(settings, database))
  const context = withProviders(base, simulator, { flutterwave, simulatorServesLive })
  if (flutterwave) await claimLiveProvider(context)
  const setUp = settings.demo ? {} : { onSetUp: () => removeSetupCode(settings) }
  const application: Runnable = await createApplication(
    { ...settings, ...setUp },
    context,
    simulator.pages,
    [fillSampleDataJob],
  )
  const watch = watchConnections(application.fastify.server)
  resources.push({ close: () => drain({ ...application, ...watch }, settings, log) })
  await listen(application.fastify, settings)
  if (settings.role !== 'api') application.worker?.start()
  stop.signal.throwIfAborted()
  storage.announce(publicUrl)
  application.setReady(true)
  log.info({ role: settings.role, url: publicUrl }, 'ready')
  await welcome(context, settings, { storage, applied, simulatorUrl: simulator.url })
}

// The simulator plays for a live provider only where people try the service out: not where payers
// can come, and not where real money is or was.
async function mayServeLive(settings: Settings, { sql }: Pick<Database, 'sql'>): Promise<boolean> {
  if (settings.flutterwave || isPublicUrl(settings.publicUrl)) return false
  return (await findLiveProvider(sql)) === undefined
}

async function startedSimulator(context: ServiceContext, settings: Settings) {
  try {
    return await startSimulator(context, simulatorSettings(settings))
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    const problems = [error.message, await portProblem(settings)].filter(Boolean)
    throw new StartError(problems.join('\n'), { cause: error })
  }
}

// On a separate connection: migrating a large table, or waiting for another process that does,
// takes longer than other statements may.
async function migrated(url: string, log: Log, process?: ServiceProcess): Promise<string[]> {
  const database = connect({ url, poolSize: 1, withoutTimeLimits: true })
  try {
    return await prepareDatabase(database, { clock: systemClock, log }, process)
  } finally {
    await database.close()
  }
}

// Only the worker itself calls a worker's simulator, and a worker receives no webhooks.
function simulatorSettings({ role, host, port, simulatorPort, publicUrl }: Settings) {
  if (role === 'worker') return { port: 0, ownUrl: () => publicUrl }
  return { port: simulatorPort, ownUrl: () => loopbackUrl(host, port) }
}

process.exit(await main())
