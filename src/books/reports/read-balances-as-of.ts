// Reads the account balances of a day, from one snapshot.
import type { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Context } from '../../kernel/db/context.ts'
import { today } from '../settings/organisation.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { asOfColumns, daysOf } from './balances-as-of.ts'
import { recordedUpTo } from './read-recorded-entry.ts'
import type { asOfInput } from './report-schema.ts'
import { listBalances } from './report-store.ts'

export async function readBalancesAsOf(
  { database: { sql }, clock }: Pick<Context, 'database' | 'clock'>,
  actor: Actor,
  wanted: z.output<typeof asOfInput>,
) {
  const organisation = await findOrganisation(sql, actor)
  const asOf = wanted.asOf ?? today(organisation, clock.now())
  const columns = asOfColumns(asOf, wanted.compare, organisation.fiscalYearStartMonth)
  const upTo = await recordedUpTo(sql, actor, organisation, wanted.recordedOn)
  const balances = await listBalances(sql, actor, daysOf(columns), upTo)
  const [own, comparison] = columns
  return {
    ...balances,
    columns,
    own: assertDefined(own, 'a report without a day'),
    comparison,
    currency: organisation.baseCurrency,
  }
}
