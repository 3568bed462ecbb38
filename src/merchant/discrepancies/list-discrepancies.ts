import { z } from 'zod'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { rowScope } from '../row-scope.ts'
import type { Discrepancy } from './discrepancy.ts'
import { listDiscrepancies as listStoredDiscrepancies } from './discrepancy-store.ts'

export const discrepanciesMax = 1000

export const listDiscrepancies = defineOperation({
  name: 'list-discrepancies',
  summary: 'List discrepancies with the payment provider, oldest first',
  kind: 'read',
  input: z.strictObject({ includesResolved: z.boolean().default(false) }),
  scopes: [],
  roles: everyRole,
  run: ({ database }, actor, { includesResolved }): Promise<(Tenant & Discrepancy)[]> => {
    const wanted = { ...rowScope(actor), isOpen: !includesResolved }
    return listStoredDiscrepancies(database.sql, wanted, discrepanciesMax)
  },
})
