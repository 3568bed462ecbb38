// What customers owe today, summed up. The report lists every open item; this reads no more than
// its totals.
import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { listControlAccounts } from '../accounts/account-store.ts'
import { defineOperation } from '../context.ts'
import { today } from '../settings/organisation.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import type { OpenTotals } from './aged.ts'
import { findOpenTotals } from './aged-store.ts'

export type ReceivableTotals = OpenTotals & { readonly currency: string }

export const getReceivableTotals = defineOperation({
  name: 'get-receivable-totals',
  summary: 'Sum up what customers owe, by how long it is overdue',
  kind: 'read',
  input: z.strictObject({}),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql }, clock }, actor): Promise<ReceivableTotals> {
    const organisation = await findOrganisation(sql, actor)
    const accountIds = await listControlAccounts(sql, actor, ['receivable'])
    const day = today(organisation, clock.now())
    const totals = await findOpenTotals(sql, actor, accountIds, day)
    return { ...totals, currency: organisation.baseCurrency }
  },
})
