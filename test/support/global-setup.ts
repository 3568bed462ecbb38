// Starts one PostgreSQL for the whole run and builds the template that every test file clones.
import postgres from 'postgres'
import { systemClock } from '../../src/kernel/basics/clock.ts'
import { connect } from '../../src/kernel/db/database.ts'
import { migrate, readMigrations } from '../../src/kernel/db/migrate.ts'
import { serverUrl, templateName } from './database.ts'

export async function setup(): Promise<void> {
  const admin = postgres(serverUrl(), { max: 1, onnotice: () => undefined })
  await admin`drop database if exists ${admin(templateName)} with (force)`
  await admin`create database ${admin(templateName)}`
  await admin.end()
  const database = connect({ url: serverUrl(templateName), poolSize: 2 })
  await migrate(database.sql, readMigrations('migrations'), systemClock)
  await database.close()
}
