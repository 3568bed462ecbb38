import type { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { Fault, invalidField } from '../../kernel/basics/fault.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { adminRoles } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { accountInput, type ChartAccount } from './account.ts'
import { kindProblem } from './account-kind.ts'
import { findAccountIdByCode, insertAccount } from './account-store.ts'

export const createAccount = defineOperation({
  name: 'create-account',
  summary: 'Add an account to the chart',
  kind: 'write',
  input: accountInput,
  scopes: [],
  roles: adminRoles,
  async run(context, actor, wanted): Promise<ChartAccount> {
    return context.database.transaction((tx) => addAccount(tx, context, actor, wanted))
  },
})

// The input has passed `accountInput`.
export async function addAccount(
  tx: Tx,
  context: Context,
  actor: Actor,
  wanted: z.output<typeof accountInput>,
): Promise<ChartAccount> {
  const { baseCurrency } = await findOrganisation(tx, actor)
  const account: ChartAccount = {
    ...wanted,
    id: context.ids.uuid(),
    currency: wanted.currency && wanted.currency !== baseCurrency ? wanted.currency : null,
    isSystem: false,
    active: true,
  }
  const problem = kindProblem(account)
  if (problem) throw invalidField(problem.field, problem.message)
  if (await findAccountIdByCode(tx, actor, account.code)) {
    throw new Fault('conflict', `There is already an account with the code ${account.code}.`)
  }
  await insertAccount(tx, actor, { ...account, createdAt: context.clock.now() })
  await recordAct(tx, context, actor, {
    action: 'account.create',
    objectKind: 'account',
    objectId: account.id,
    detail: { code: account.code, name: account.name, subtype: account.subtype },
  })
  return account
}
