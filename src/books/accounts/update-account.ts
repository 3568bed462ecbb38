// Renames, renumbers, deactivates or reactivates an account. Posted lines stay, so an account with
// lines keeps its type, and no account is ever deleted.
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { Fault, invalidField, notFound } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { adminRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { changedFields } from '../input/changed-fields.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { accountChanges, type ChartAccount } from './account.ts'
import { kindProblem } from './account-kind.ts'
import {
  findAccountIdByCode,
  findIsPosted,
  lockAccount,
  updateAccount as update,
} from './account-store.ts'

type Changes = Partial<Omit<ChartAccount, 'id' | 'isSystem'>>

export const updateAccount = defineOperation({
  name: 'update-account',
  summary: 'Rename an account, or make it inactive',
  kind: 'write',
  input: z.strictObject({ id: uuid(), ...accountChanges.shape }),
  scopes: [],
  roles: adminRoles,
  async run(context, actor, { id, ...wanted }): Promise<ChartAccount> {
    return context.database.transaction(async (tx) => {
      const account = await lockAccount(tx, actor, id)
      if (!account) throw notFound('account')
      const organisation = await findOrganisation(tx, actor)
      const currency = wanted.currency === organisation.baseCurrency ? null : wanted.currency
      const changes: Changes = changedFields(account, { ...wanted, currency })
      if (Object.keys(changes).length === 0) {
        context.call.nothingChanged()
        return account
      }
      await requireChangeable(tx, actor, account, changes)
      await update(tx, actor, id, changes)
      await recordAct(tx, context, actor, {
        action: 'account.update',
        objectKind: 'account',
        objectId: id,
        detail: { code: account.code, ...changes },
      })
      return { ...account, ...changes }
    })
  },
})

async function requireChangeable(
  tx: Tx,
  actor: Actor,
  account: ChartAccount,
  changes: Changes,
): Promise<void> {
  if (changes.code && (await findAccountIdByCode(tx, actor, changes.code))) {
    throw new Fault('conflict', `There is already an account with the code ${changes.code}.`)
  }
  if (changes.active === false) await requireRetirable(tx, actor, account)
  const kind = (['type', 'subtype', 'currency'] as const).find((field) => field in changes)
  if (!kind) return
  if (account.isSystem) {
    throw invalidField(kind, 'The books post to this account automatically, so its type is fixed.')
  }
  if (await findIsPosted(tx, actor, account.id)) {
    throw invalidField(kind, 'The account has entries, so its type is fixed.')
  }
  const problem = kindProblem({ ...account, ...changes })
  if (problem) throw invalidField(problem.field, problem.message)
}

async function requireRetirable(tx: Tx, actor: Actor, account: ChartAccount): Promise<void> {
  if (account.isSystem) {
    throw invalidField(
      'active',
      'The books post to this account automatically, so it must stay active.',
    )
  }
  const { defaultSalesAccountId, defaultPurchaseAccountId } = await findOrganisation(tx, actor)
  if ([defaultSalesAccountId, defaultPurchaseAccountId].includes(account.id)) {
    throw invalidField('active', 'This is a default account. Choose another default first.')
  }
}
