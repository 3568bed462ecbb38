// A database of its own for a test file, cloned from the migrated template in a moment.
import { randomUUID } from 'node:crypto'
import postgres from 'postgres'
import { onTestFinished } from 'vitest'
import { connect, type Database } from '../../src/kernel/db/database.ts'

export const templateName = process.env.TEMPLATE_NAME ?? 'tillbook_template'

export function serverUrl(database = 'postgres'): string {
  const url = process.env.TEST_SERVER_URL
  if (!url) throw new Error('TEST_SERVER_URL is not set: run the tests with `npm test`')
  return `${url}/${database}`
}

export type TestDatabase = Database & { url: string; drop(): Promise<void> }

export async function createDatabase(poolSize = 10): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const admin = postgres(serverUrl(), { max: 1, onnotice: () => undefined })
  // Cloning takes a lock on the template; two files that clone at once wait for each other.
  await admin`select pg_advisory_lock(1)`
  await admin`create database ${admin(name)} template ${admin(templateName)}`
  await admin.end()
  const url = serverUrl(name)
  const database = connect({ url, poolSize })
  return {
    ...database,
    url,
    async drop() {
      await database.close()
      const dropper = postgres(serverUrl(), { max: 1, onnotice: () => undefined })
      await dropper`drop database ${dropper(name)} with (force)`
      await dropper.end()
    },
  }
}

// For a single test that needs a database of its own.
export async function databaseForThisTest(): Promise<TestDatabase> {
  const database = await createDatabase()
  onTestFinished(() => database.drop())
  return database
}
