// Aged receivables and aged payables as of any day.
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import type { Context } from '../../kernel/db/context.ts'
import { day, oneOf } from '../../kernel/operations/schemas.ts'
import { listControlAccounts } from '../accounts/account-store.ts'
import { today } from '../settings/organisation.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { aged, agedSides } from './aged.ts'
import { listOpenOnDay } from './aged-store.ts'

export const agedInput = z.strictObject({
  side: oneOf(agedSides),
  as_of: day().optional(),
})

const controlSubtypes = {
  receivables: ['receivable'],
  payables: ['payable', 'expense_claims'],
} as const

export async function reportAged(
  { database: { sql }, clock }: Pick<Context, 'database' | 'clock'>,
  actor: Actor,
  { side, as_of }: z.output<typeof agedInput>,
) {
  const organisation = await findOrganisation(sql, actor)
  const asOf = as_of ?? today(organisation, clock.now())
  // Control accounts are system accounts, which never go away, so they may be read before.
  const accountIds = await listControlAccounts(sql, actor, controlSubtypes[side])
  const items = await listOpenOnDay(sql, actor, accountIds, asOf)
  const currency = organisation.baseCurrency
  return { as_of: asOf, data: { side, currency, ...aged(items, side, asOf, currency) } }
}
