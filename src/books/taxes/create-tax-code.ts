import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { Fault, invalidField } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { adminRoles } from '../../kernel/operations/permission.ts'
import { findSystemAccount } from '../accounts/account-store.ts'
import { requireAccounts } from '../accounts/require-accounts.ts'
import { defineOperation } from '../context.ts'
import { type TaxCode, taxCodeInput, withheldProblem } from './tax-code.ts'
import { findTaxCodeIdByName, insertTaxCode } from './tax-code-store.ts'

export const createTaxCode = defineOperation({
  name: 'create-tax-code',
  summary: 'Add a tax code',
  kind: 'write',
  input: taxCodeInput,
  scopes: [],
  roles: adminRoles,
  async run(context, actor, wanted): Promise<TaxCode> {
    return context.database.transaction(async (tx) => {
      await requireFreeName(tx, actor, wanted.name)
      await requireAccounts(tx, actor, { accountId: wanted.accountId })
      for (const component of wanted.components) {
        await requireAccounts(tx, actor, { components: component.accountId })
      }
      const code: TaxCode = {
        id: context.ids.uuid(),
        name: wanted.name,
        isInclusive: wanted.isInclusive,
        components: wanted.components.map((one) => ({ ...one, accountId: one.accountId ?? null })),
        accountId: wanted.accountId ?? (await findSystemAccount(tx, actor, 'tax')).id,
        active: true,
        createdAt: context.clock.now(),
      }
      const problem = withheldProblem(code)
      if (problem) throw invalidField('components', problem)
      await insertTaxCode(tx, actor, code)
      const { name, isInclusive, components } = code
      await recordAct(tx, context, actor, {
        action: 'tax_code.create',
        objectKind: 'tax_code',
        objectId: code.id,
        detail: { name, isInclusive, components },
      })
      return code
    })
  },
})

async function requireFreeName(tx: Tx, actor: Actor, name: string): Promise<void> {
  if (await findTaxCodeIdByName(tx, actor, name)) {
    throw new Fault('conflict', `There is already a tax code called ${name}.`)
  }
}
