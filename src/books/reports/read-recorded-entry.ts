// Reports as they were known at the end of an earlier day. Entries are only ever added, so those up
// to the last one of that day are what was known.

import { addDays } from '../../kernel/basics/calendar.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { type Organisation, startOfDay } from '../settings/organisation.ts'
import { findLastSequenceBefore } from './report-store.ts'

// The last entry that counts; undefined if all do.
export async function recordedUpTo(
  sql: Sql | Tx,
  tenant: Tenant,
  organisation: Organisation,
  recordedOn: string | undefined,
): Promise<bigint | undefined> {
  if (recordedOn === undefined) return undefined
  return findLastSequenceBefore(sql, tenant, startOfDay(organisation, addDays(recordedOn, 1)))
}
