import type { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { validated } from '../../kernel/operations/validate.ts'
import { findSystemAccount } from '../accounts/account-store.ts'
import { requireAccounts } from '../accounts/require-accounts.ts'
import type { BooksContext } from '../context.ts'
import { requireRole } from '../operations/permissions.ts'
import { type TaxCode, taxCodeInput } from './tax-code.ts'
import { findTaxCodeIdByName, insertTaxCode } from './tax-code-store.ts'

export type NewTaxCode = z.input<typeof taxCodeInput>

export async function createTaxCode(
  context: BooksContext,
  actor: Actor,
  input: NewTaxCode,
): Promise<TaxCode> {
  requireRole(actor, 'administer')
  const wanted = validated(taxCodeInput, input)
  return context.database.transaction(async (tx) => {
    await requireFreeName(tx, actor, wanted.name)
    await requireAccounts(tx, actor, { accountId: wanted.accountId })
    const code: TaxCode = {
      id: context.ids.uuid(),
      name: wanted.name,
      isInclusive: wanted.isInclusive,
      components: wanted.components,
      accountId: wanted.accountId ?? (await findSystemAccount(tx, actor, 'tax')).id,
      active: true,
      createdAt: context.clock.now(),
    }
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
}

async function requireFreeName(tx: Tx, actor: Actor, name: string): Promise<void> {
  if (await findTaxCodeIdByName(tx, actor, name)) {
    throw new Fault('conflict', `There is a tax code called ${name} already.`)
  }
}
