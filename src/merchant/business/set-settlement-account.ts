// Sets the settlement account, which receives payouts. Earlier payouts keep their destination, and
// those that are still held can no longer be approved.
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { invalidField } from '../../kernel/basics/fault.ts'
import { isOneLine } from '../../kernel/basics/one-line.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { adminRoles } from '../../kernel/operations/permission.ts'
import type { ServiceContext } from '../../kernel/operations/service-context.ts'
import { defineOperation } from '../context.ts'
import {
  type MaskedAccount,
  maskAccount,
  normalAccount,
  type SettlementAccount,
  sealAccount,
} from './settlement-account.ts'
import {
  findSettlementAccount,
  insertOrUpdateSettlementAccount,
} from './settlement-account-store.ts'

// The provider's limits for a transfer.
const limits = { bankCode: 11, accountNumber: 20, beneficiaryName: 100 } as const

export const setSettlementAccount = defineOperation({
  name: 'set-settlement-account',
  summary: 'Set the settlement account, which receives payouts',
  kind: 'write',
  input: z.strictObject({
    bankCode: z.string(),
    accountNumber: z.string(),
    beneficiaryName: z.string(),
  }),
  scopes: [],
  roles: adminRoles,
  // People only, because it decides where all the money of a business goes.
  peopleOnly: true,
  run: (context, actor, account): Promise<MaskedAccount> =>
    context.database.transaction((tx) => writeSettlementAccount(tx, context, actor, account)),
})

// The caller has checked that the actor may do this.
export async function writeSettlementAccount(
  tx: Tx,
  context: Pick<ServiceContext, 'clock' | 'ids' | 'secrets' | 'onAct'>,
  actor: Actor,
  wanted: SettlementAccount,
): Promise<MaskedAccount> {
  const account = normalAccount(wanted)
  checkAccount(account)
  const { businessId } = actor
  const before = await findSettlementAccount(tx, businessId)
  const sealed = sealAccount(context.secrets, businessId, account)
  await insertOrUpdateSettlementAccount(tx, businessId, sealed, context.clock.now())
  const masked = maskAccount(account)
  await recordAct(tx, context, actor, {
    action: 'settlement_account.set',
    objectKind: 'business',
    objectId: businessId,
    detail: { ...masked, isFirst: before === undefined },
  })
  return masked
}

function checkAccount(account: SettlementAccount): void {
  for (const [field, max] of Object.entries(limits)) {
    const value = account[field as keyof typeof limits]
    if (value === '' || value.length > max || !isOneLine(value)) {
      throw invalidField(field, `Must be one line of 1 to ${max} characters.`)
    }
  }
  // With fewer digits, showing only the last ones would show all of them.
  if (!/^[0-9A-Z]{5,}$/.test(account.accountNumber)) {
    throw invalidField('accountNumber', 'Must have at least 5 digits or letters.')
  }
}
