// The processes of the service that use this database now, and how new each of them is.
import { addSeconds } from '../basics/clock.ts'
import type { SqlTag } from './statement.ts'

export type ServiceProcess = {
  readonly id: string
  readonly role: string
  readonly host: string
}

// Several times the interval at which a process says that it is there.
const silenceSecondsMax = 60
const forgottenSeconds = 86_400

// `migrations`: how many its version knows.
export async function insertProcess(
  sql: SqlTag,
  { id, role, host }: ServiceProcess,
  migrations: number,
  now: Date,
): Promise<void> {
  await sql`
    delete from kernel.processes
    where seen_at < ${addSeconds(now, -forgottenSeconds)}`
  await sql`
    insert into kernel.processes (id, role, host, migrations, started_at, seen_at)
    values (${id}, ${role}, ${host}, ${migrations}, ${now}, ${now})`
}

export async function updateProcessSeen(sql: SqlTag, id: string, now: Date): Promise<void> {
  await sql`
    update kernel.processes
    set seen_at = ${now}
    where id = ${id}`
}

export async function deleteProcess(sql: SqlTag, id: string): Promise<void> {
  await sql`
    delete from kernel.processes
    where id = ${id}`
}

// Those whose version does not know the migration of this number.
export async function listOlderProcesses(
  sql: SqlTag,
  number: number,
  now: Date,
): Promise<ServiceProcess[]> {
  return sql<ServiceProcess[]>`
    select id, role, host
    from kernel.processes
    where migrations < ${number}
      and seen_at >= ${addSeconds(now, -silenceSecondsMax)}
    order by started_at, id`
}
