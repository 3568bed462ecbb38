import type { Sql } from '../../kernel/db/database.ts'
import type { Violation } from '../../kernel/db/invariant.ts'

// The entries of a movement change the clearing account by the amount that it moved in the merchant
// service.
export async function listMisbookedMovements(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select
      movement.business_id, movement.environment, movement.id as movement_id, movement.kind,
      movement.held_minor,
      coalesce(sum(line.amount_minor), 0) as booked_minor
    from books.service_movements as movement
    join books.accounts as clearing
      on clearing.business_id = movement.business_id
      and clearing.environment = movement.environment
      and clearing.subtype = 'clearing'
      and clearing.is_system
    left join books.journal_lines as line
      on line.business_id = movement.business_id
      and line.environment = movement.environment
      and line.sequence between movement.first_sequence and movement.last_sequence
      and line.account_id = clearing.id
    where movement.status = 'booked'
    group by
      movement.business_id, movement.environment, movement.id, movement.kind, movement.held_minor,
      movement.currency
    having coalesce(sum(line.amount_minor), 0) <> movement.held_minor
      or count(*) filter (where line.currency <> movement.currency) > 0
    order by movement.business_id, movement.environment, movement.id
    limit ${limit}`
}
