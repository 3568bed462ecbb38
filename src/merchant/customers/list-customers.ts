import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { line } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import type { Customer } from './customer.ts'
import { listCustomerKeys } from './customer-store.ts'
import { readCustomers } from './read-customers.ts'

const addressMax = 254

export type CustomerList = {
  readonly customers: readonly Customer[]
  // Where to read on; null on the last page.
  readonly next: string | null
}

export const listCustomers = defineOperation({
  name: 'list-customers',
  summary: 'List payers by name or e-mail address, with what they paid',
  kind: 'read',
  input: z.strictObject({
    // A part of the address, or of a name that they gave.
    text: line(addressMax).optional(),
    after: line(addressMax).optional(),
    limit: z.int().min(1).max(100).default(25),
  }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql } }, actor, { text, after, limit }): Promise<CustomerList> {
    const keys = await listCustomerKeys(sql, actor, { text, after, limit })
    const customers = await readCustomers(sql, actor, keys)
    return { customers, next: keys.length === limit ? (keys.at(-1) ?? null) : null }
  },
})
