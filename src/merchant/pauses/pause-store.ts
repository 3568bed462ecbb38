import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { Pause, PauseKind } from './pause.ts'

// The current pause; if there are several, the one that ends last.
export async function findPause(
  sql: Sql | Tx,
  kind: PauseKind,
  now: Date,
): Promise<Pause | undefined> {
  const [row] = await sql<Pause[]>`
    select ${columns(sql)}
    from merchant.pauses
    where kind = ${kind}
      and lifted_at is null
      and ends_at > ${now}
    order by ends_at desc
    limit 1`
  return row
}

export async function listStandingPauses(sql: Sql | Tx, now: Date): Promise<Pause[]> {
  return sql<Pause[]>`
    select ${columns(sql)}
    from merchant.pauses
    where lifted_at is null
      and ends_at > ${now}
    order by kind, ends_at desc`
}

// Newest first, including past pauses.
export async function listPauses(sql: Sql | Tx, limit: number): Promise<Pause[]> {
  return sql<Pause[]>`
    select ${columns(sql)}
    from merchant.pauses
    order by set_at desc, id desc
    limit ${limit}`
}

export async function insertPause(tx: Tx, pause: Pause): Promise<void> {
  await tx`insert into merchant.pauses ${tx(pause)}`
}

// Returns how many pauses were current.
export async function updatePausesLifted(
  tx: Tx,
  kind: PauseKind,
  lifted: { readonly by: string; readonly at: Date },
): Promise<number> {
  const rows = await tx`
    update merchant.pauses
    set lifted_by = ${lifted.by},
      lifted_at = ${lifted.at}
    where kind = ${kind}
      and lifted_at is null
      and ends_at > ${lifted.at}`
  return rows.count
}

function columns(sql: Sql | Tx) {
  return sql`id, kind, reason, set_by, set_at, ends_at, lifted_by, lifted_at`
}
