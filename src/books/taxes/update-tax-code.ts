// A tax code may be renamed, booked elsewhere, retired and brought back. Its rates stay.
import type { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { Fault, notFound } from '../../kernel/basics/fault.ts'
import { validated } from '../../kernel/operations/validate.ts'
import { requireAccounts } from '../accounts/require-accounts.ts'
import type { BooksContext } from '../context.ts'
import { changedFields } from '../input/changed-fields.ts'
import { requireRole } from '../operations/permissions.ts'
import { type TaxCode, taxCodeChanges } from './tax-code.ts'
import {
  findTaxCodeIdByName,
  listTaxCodesByIds,
  updateTaxCode as update,
} from './tax-code-store.ts'

export async function updateTaxCode(
  context: BooksContext,
  actor: Actor,
  id: string,
  input: z.input<typeof taxCodeChanges>,
): Promise<TaxCode> {
  requireRole(actor, 'administer')
  const wanted = validated(taxCodeChanges, input)
  return context.database.transaction(async (tx) => {
    const [code] = await listTaxCodesByIds(tx, actor, [id])
    if (!code) throw notFound('tax code')
    const changes = changedFields(code, wanted)
    if (Object.keys(changes).length === 0) return code
    if (changes.name && (await findTaxCodeIdByName(tx, actor, changes.name))) {
      throw new Fault('conflict', `There is a tax code called ${changes.name} already.`)
    }
    await requireAccounts(tx, actor, { accountId: changes.accountId })
    await update(tx, actor, id, changes)
    await recordAct(tx, context, actor, {
      action: 'tax_code.update',
      objectKind: 'tax_code',
      objectId: id,
      detail: changes,
    })
    return { ...code, ...changes }
  })
}
