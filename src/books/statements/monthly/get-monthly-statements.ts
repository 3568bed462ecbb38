// Whether statements are mailed each month, and who would get that of this month as things are.
import { z } from 'zod'
import { addDays } from '../../../kernel/basics/calendar.ts'
import { everyRole } from '../../../kernel/operations/permission.ts'
import { defineOperation } from '../../context.ts'
import type { Period } from '../../reports/report-days.ts'
import { today } from '../../settings/organisation.ts'
import { findOrganisation } from '../../settings/organisation-store.ts'
import {
  monthOf,
  type StatementFacts,
  type StatementProblem,
  statementProblem,
} from './monthly-statement.ts'
import { listStatementFacts } from './monthly-statement-store.ts'
import { findStatementSettings } from './statement-settings-store.ts'

const contactsMax = 200

export type StatementRecipient = Pick<StatementFacts, 'contactId' | 'contactName' | 'email'> & {
  // Why it will not be mailed as things are.
  readonly problem: StatementProblem | undefined
}

export type ShownMonthlyStatements = {
  readonly isOn: boolean
  readonly month: Period
  // When it is mailed.
  readonly nextDay: string
  readonly recipients: readonly StatementRecipient[]
  // There are more than are shown.
  readonly isCut: boolean
}

export const getMonthlyStatements = defineOperation({
  name: 'get-monthly-statements',
  summary: 'Show whether customers get a statement by mail each month, and who would',
  kind: 'read',
  input: z.strictObject({}),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql }, clock }, actor): Promise<ShownMonthlyStatements> {
    const [organisation, settings] = await Promise.all([
      findOrganisation(sql, actor),
      findStatementSettings(sql, actor),
    ])
    const month = monthOf(today(organisation, clock.now()))
    const facts = await listStatementFacts(sql, actor, { month, limit: contactsMax + 1 })
    return {
      isOn: settings?.isOn ?? false,
      month,
      nextDay: addDays(month.to, 1),
      recipients: facts.slice(0, contactsMax).map((one) => ({
        contactId: one.contactId,
        contactName: one.contactName,
        email: one.email,
        problem: statementProblem(one),
      })),
      isCut: facts.length > contactsMax,
    }
  },
})
