// The monthly statements that a contact got, and whether it gets more.
import { z } from 'zod'
import { notFound } from '../../../kernel/basics/fault.ts'
import { everyRole } from '../../../kernel/operations/permission.ts'
import { uuid } from '../../../kernel/operations/schemas.ts'
import { findContact } from '../../contacts/contact-store.ts'
import { defineOperation } from '../../context.ts'
import type { MonthlyStatement } from './monthly-statement.ts'
import { listMonthlyStatements } from './monthly-statement-store.ts'
import {
  findStatementSettings,
  findStatementStop,
  type StatementStop,
} from './statement-settings-store.ts'

const statementsMax = 12

export type ContactStatements = {
  // Of the business.
  readonly isOn: boolean
  // Set while the contact gets none.
  readonly stop: StatementStop | undefined
  // The newest, newest first.
  readonly statements: readonly MonthlyStatement[]
}

export const getContactStatements = defineOperation({
  name: 'get-contact-statements',
  summary: 'Show the monthly statements that were mailed to a contact',
  kind: 'read',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql } }, actor, { id }): Promise<ContactStatements> {
    const contact = await findContact(sql, actor, id)
    if (!contact) throw notFound('contact')
    const [settings, stop, statements] = await Promise.all([
      findStatementSettings(sql, actor),
      findStatementStop(sql, actor, contact.id),
      listMonthlyStatements(sql, actor, contact.id, statementsMax),
    ])
    return { isOn: settings?.isOn ?? false, stop, statements }
  },
})
