// Aged receivables and aged payables as of any day.
import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { day, oneOf } from '../../kernel/operations/schemas.ts'
import { listControlAccounts } from '../accounts/account-store.ts'
import { defineOperation } from '../context.ts'
import { today } from '../settings/organisation.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { aged, agedSides } from './aged.ts'
import { listOpenOnDay } from './aged-store.ts'
import { recordedUpTo } from './read-recorded-entry.ts'
import { recordedInput } from './report-period.ts'

const controlSubtypes = {
  receivables: ['receivable'],
  payables: ['payable', 'expense_claims'],
} as const

// The result has the format of the published reports.
export const reportAged = defineOperation({
  name: 'report-aged',
  summary: 'Read aged receivables or payables',
  kind: 'read',
  input: z.strictObject({ side: oneOf(agedSides), asOf: day().optional(), ...recordedInput }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql }, clock }, actor, { side, asOf: wanted, recordedOn }) {
    const organisation = await findOrganisation(sql, actor)
    const asOf = wanted ?? today(organisation, clock.now())
    // Control accounts are system accounts, which are never removed, so they can be read first.
    const accountIds = await listControlAccounts(sql, actor, controlSubtypes[side])
    const upTo = await recordedUpTo(sql, actor, organisation, recordedOn)
    const items = await listOpenOnDay(sql, actor, accountIds, asOf, upTo)
    const currency = organisation.baseCurrency
    return { as_of: asOf, data: { side, currency, ...aged(items, side, asOf, currency) } }
  },
})
