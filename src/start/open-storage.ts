// Opens the database of the settings and checks that this version can use it: reachable, new
// enough, migrated, and encrypted with the given key. Problems that retrying can't fix end with one
// clear message.
import { fileURLToPath } from 'node:url'
import { findMissingGuards, placeNewTable } from '../app/distribution/distribute.ts'
import type { Settings } from '../config.ts'
import { type Secrets, SecretsError } from '../kernel/auth/secrets.ts'
import { checkSecretsCanary } from '../kernel/auth/secrets-store.ts'
import { assertDefined } from '../kernel/basics/assert.ts'
import type { Clock } from '../kernel/basics/clock.ts'
import type { Ids } from '../kernel/basics/id.ts'
import type { Log } from '../kernel/basics/log.ts'
import { StartError } from '../kernel/basics/start-error.ts'
import { connect, type Database } from '../kernel/db/database.ts'
import { describeEndpoints } from '../kernel/db/database-address.ts'
import { findAnnouncedAddress, lockDataDirectory } from '../kernel/db/embedded-lock.ts'
import { findEmbeddedServer, startEmbeddedServer } from '../kernel/db/embedded-server.ts'
import { type Migration, MigrationError, migrate, readMigrations } from '../kernel/db/migrate.ts'
import type { ServiceProcess } from '../kernel/db/process-store.ts'
import { databaseExists, insertDatabase } from '../kernel/db/server-store.ts'
import { assertServerVersion } from '../kernel/db/server-version.ts'
import type { Resource, Stop } from './lifecycle.ts'
import { loadSecretsRing } from './secrets-file.ts'
import type { SecretsRing } from './setting-values.ts'

export type Storage = {
  readonly databaseUrl: string
  readonly secretsRing: SecretsRing
  readonly embedded: boolean
  // Writes the address of the service, for commands that run beside it.
  announce(publicUrl: string): void
}

type Surroundings = { ids: Ids; log: Log; stop: Stop; resources: Resource[] }

const embeddedDatabase = 'tillbook'

export async function openStorage(settings: Settings, around: Surroundings): Promise<Storage> {
  if (settings.databaseUrl === undefined) return openEmbedded(settings, around)
  return {
    databaseUrl: settings.databaseUrl,
    secretsRing: assertDefined(settings.secretsRing, 'settings with a DATABASE_URL have a key'),
    embedded: false,
    announce: () => undefined,
  }
}

async function openEmbedded(
  { dataDir, searchPath, secretsRing: given }: Settings,
  { ids, log, stop, resources }: Surroundings,
): Promise<Storage> {
  const directory = lockDataDirectory(dataDir)
  resources.push({ close: () => directory.release() })
  const secretsRing = given ?? loadSecretsRing(dataDir, ids)
  const server = await startEmbeddedServer({ directory, searchPath, log, signal: stop.signal })
  let closing = false
  server.ended.then(() => {
    if (!closing) stop.fail(new Error('the embedded database stopped unexpectedly'))
  })
  resources.push({
    close() {
      closing = true
      return server.stop()
    },
    abandon: server.stopWithoutWaiting,
  })
  const admin = connect({ url: server.url('postgres'), poolSize: 1 })
  try {
    if (!(await databaseExists(admin.sql, embeddedDatabase))) {
      await insertDatabase(admin.sql, embeddedDatabase)
    }
  } finally {
    await admin.close()
  }
  const databaseUrl = server.url(embeddedDatabase)
  return { databaseUrl, secretsRing, embedded: true, announce: directory.announce }
}

// Returns the migrations that were applied.
export async function prepareDatabase(
  database: Database,
  { clock, log }: { clock: Clock; log: Log },
  process?: ServiceProcess,
): Promise<string[]> {
  await assertUsable(database)
  const applied = await applyMigrations(database, clock, process)
  if (applied.length > 0) log.info({ applied }, 'database migrated')
  await assertGuarded(database)
  return applied
}

// Of this version.
export function countMigrations(): number {
  return ownMigrations().length
}

async function applyMigrations(
  database: Database,
  clock: Clock,
  process: ServiceProcess | undefined,
): Promise<string[]> {
  try {
    return await migrate(database.sql, ownMigrations(), clock, process, placeNewTable)
  } catch (error) {
    throw error instanceof MigrationError ? new StartError(error.message, { cause: error }) : error
  }
}

// The folder is beside `src` and `dist`.
function ownMigrations(): Migration[] {
  return readMigrations(fileURLToPath(new URL('../../migrations', import.meta.url)))
}

async function assertGuarded({ sql }: Database): Promise<void> {
  const missing = await findMissingGuards(sql)
  if (missing.length === 0) return
  throw new StartError(
    `the database has lost what guards its data: ${missing.join(', ')}. If \`cli distribute\` was ` +
      'interrupted, run it again. Otherwise restore them from a backup, and run `cli verify`.',
  )
}

export async function checkSecrets({ sql }: Database, secrets: Secrets): Promise<void> {
  try {
    await checkSecretsCanary(sql, secrets)
  } catch (error) {
    if (!(error instanceof SecretsError)) throw error
    throw new StartError(
      `SECRETS_KEY is not the key that this database was encrypted with (${error.message}). ` +
        'Set the right one. After a rotation, list the old key after the new one.',
      { cause: error },
    )
  }
}

// For commands that run beside the service: the database of DATABASE_URL, or the embedded one of
// the service on DATA_DIR.
export function connectToRunning({ databaseUrl, dataDir }: Settings): Database {
  const url = databaseUrl ?? findEmbeddedServer(dataDir, embeddedDatabase)
  if (url) {
    return connect({ url, poolSize: 2, applicationName: 'tillbook-cli', withoutTimeLimits: true })
  }
  throw new StartError(
    `no service is running on DATA_DIR ${dataDir}. Start it with \`npm start\` and try again, or set ` +
      'DATABASE_URL to your own PostgreSQL server.',
  )
}

// Links that a command prints lead to the running service, even if that was started with another
// PORT.
export function publicUrlOfRunning({ databaseUrl, dataDir, publicUrl }: Settings): string {
  return databaseUrl === undefined ? (findAnnouncedAddress(dataDir) ?? publicUrl) : publicUrl
}

// The message shows the address without its password.
export async function assertUsable({ sql }: Database): Promise<void> {
  try {
    await assertServerVersion(sql)
  } catch (error) {
    if (error instanceof StartError) throw error
    const { database, user } = sql.address
    const reason = error instanceof Error && error.message ? error.message : String(error)
    throw new StartError(
      `the database ${database} at ${describeEndpoints(sql.address)} cannot be used as ${user}: ${reason}. ` +
        'Check DATABASE_URL, and that the server is running and accepts this machine.',
      { cause: error },
    )
  }
}
