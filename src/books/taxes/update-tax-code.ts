// A tax code can be renamed, posted to another account, deactivated and reactivated. Its rates
// stay.
import { z } from 'zod'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { Fault, invalidField, notFound } from '../../kernel/basics/fault.ts'
import { adminRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { requireAccounts } from '../accounts/require-accounts.ts'
import { defineOperation } from '../context.ts'
import { changedFields } from '../input/changed-fields.ts'
import { type TaxCode, type TaxComponent, taxCodeChanges, withheldProblem } from './tax-code.ts'
import {
  findTaxCodeIdByName,
  listTaxCodesByIds,
  updateTaxCode as update,
} from './tax-code-store.ts'

export const updateTaxCode = defineOperation({
  name: 'update-tax-code',
  summary: 'Rename a tax code, or make it inactive',
  kind: 'write',
  input: z.strictObject({ id: uuid(), ...taxCodeChanges.shape }),
  scopes: [],
  roles: adminRoles,
  async run(context, actor, { id, componentAccountIds, ...wanted }): Promise<TaxCode> {
    return context.database.transaction(async (tx) => {
      const [code] = await listTaxCodesByIds(tx, actor, [id])
      if (!code) throw notFound('tax code')
      const components = moved(code, componentAccountIds)
      const changes = { ...changedFields(code, wanted), ...(components && { components }) }
      if (Object.keys(changes).length === 0) {
        context.call.nothingChanged()
        return code
      }
      if (changes.name && (await findTaxCodeIdByName(tx, actor, changes.name))) {
        throw new Fault('conflict', `There is already a tax code called ${changes.name}.`)
      }
      await requireAccounts(tx, actor, { accountId: changes.accountId })
      for (const accountId of componentAccountIds ?? []) {
        await requireAccounts(tx, actor, { componentAccountIds: accountId })
      }
      const after = { ...code, ...changes }
      const problem = 'accountId' in changes || components ? withheldProblem(after) : undefined
      if (problem) throw invalidField(components ? 'componentAccountIds' : 'accountId', problem)
      await update(tx, actor, id, changes)
      await recordAct(tx, context, actor, {
        action: 'tax_code.update',
        objectKind: 'tax_code',
        objectId: id,
        detail: changes,
      })
      return after
    })
  },
})

// The components with their accounts, where those change.
function moved(
  { components }: TaxCode,
  accountIds: readonly (string | null)[] | undefined,
): TaxComponent[] | undefined {
  if (accountIds === undefined) return undefined
  if (accountIds.length !== components.length) {
    const message = `There are ${components.length} components: name an account for each, or null.`
    throw invalidField('componentAccountIds', message)
  }
  const after = components.map((one, index) => ({ ...one, accountId: accountIds[index] ?? null }))
  const isSame = after.every(({ accountId }, index) => accountId === components[index]?.accountId)
  return isSame ? undefined : after
}
