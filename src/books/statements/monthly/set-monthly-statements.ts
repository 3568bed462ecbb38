// Switches the monthly statements on or off. Months that have ended by then are never sent.
import { z } from 'zod'
import { recordAct } from '../../../kernel/auth/audit-log.ts'
import { adminRoles } from '../../../kernel/operations/permission.ts'
import { defineOperation } from '../../context.ts'
import { lockOrganisation } from '../../settings/organisation-store.ts'
import { findStatementSettings, updateStatementSettings } from './statement-settings-store.ts'

export const setMonthlyStatements = defineOperation({
  name: 'set-monthly-statements',
  summary: 'Choose whether customers get a statement by mail each month',
  kind: 'write',
  input: z.strictObject({ isOn: z.boolean() }),
  scopes: [],
  roles: adminRoles,
  async run(context, actor, { isOn }): Promise<{ readonly isOn: boolean }> {
    return context.database.transaction(async (tx) => {
      // Two people who save at once do so one after the other.
      await lockOrganisation(tx, actor)
      const before = await findStatementSettings(tx, actor)
      if ((before?.isOn ?? false) === isOn) {
        context.call.nothingChanged()
        return { isOn }
      }
      await updateStatementSettings(tx, actor, { isOn, since: context.clock.now() })
      await recordAct(tx, context, actor, {
        action: 'monthly_statements.set',
        objectKind: 'organisation',
        objectId: actor.businessId,
        detail: { isOn },
      })
      return { isOn }
    })
  },
})
