// The supported versions of PostgreSQL. Tests run on the oldest and the newest. Newer ones are
// accepted, since PostgreSQL changes little and an operator may know better.

import { StartError } from '../basics/start-error.ts'
import type { Sql } from './database.ts'
import { findServerVersion } from './server-store.ts'

export const oldestMajorVersion = 15

export async function assertServerVersion(sql: Sql): Promise<void> {
  const problem = versionProblem(await findServerVersion(sql))
  if (problem) throw new StartError(problem)
}

// Takes `server_version_num`, such as 140011 for 14.11.
export function versionProblem(versionNumber: number): string | undefined {
  const major = Math.trunc(versionNumber / 10_000)
  if (major >= oldestMajorVersion) return undefined
  return (
    `the database of DATABASE_URL is PostgreSQL ${major}.${versionNumber % 10_000}, which is too ` +
    `old: ${oldestMajorVersion} or newer is needed. Upgrade it, or use another server.`
  )
}
