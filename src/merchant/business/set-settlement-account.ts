// Where payouts go from now on. Whoever calls this has made sure that the actor may: it decides
// where all the money of a business ends up. What was asked for before keeps its own destination,
// and what is still held then cannot be approved any more.
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { invalidField } from '../../kernel/basics/fault.ts'
import { isOneLine } from '../../kernel/basics/one-line.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { ServiceContext } from '../../kernel/operations/service-context.ts'
import {
  accountEnding,
  normalAccount,
  type SettlementAccount,
  sealAccount,
} from './settlement-account.ts'
import {
  findSettlementAccount,
  insertOrUpdateSettlementAccount,
} from './settlement-account-store.ts'

// What the provider takes for a transfer.
const limits = { bankCode: 11, accountNumber: 20, beneficiaryName: 100 } as const

export async function setSettlementAccount(
  tx: Tx,
  { clock, ids, secrets }: Pick<ServiceContext, 'clock' | 'ids' | 'secrets'>,
  actor: Actor,
  wanted: SettlementAccount,
): Promise<void> {
  const account = normalAccount(wanted)
  checkAccount(account)
  const { businessId } = actor
  const before = await findSettlementAccount(tx, businessId)
  const now = clock.now()
  await insertOrUpdateSettlementAccount(
    tx,
    businessId,
    sealAccount(secrets, businessId, account),
    now,
  )
  await recordAct(tx, { clock, ids }, actor, {
    action: 'settlement_account.set',
    objectKind: 'business',
    objectId: businessId,
    detail: {
      bankCode: account.bankCode,
      accountEnding: accountEnding(account.accountNumber),
      beneficiaryName: account.beneficiaryName,
      isFirst: before === undefined,
    },
  })
}

function checkAccount(account: SettlementAccount): void {
  for (const [field, max] of Object.entries(limits)) {
    const value = account[field as keyof typeof limits]
    if (value === '' || value.length > max || !isOneLine(value)) {
      throw invalidField(field, `Must have 1 to ${max} characters in one line.`)
    }
  }
  // Fewer digits would show whole where only the last ones are meant to.
  if (!/^[0-9A-Z]{5,}$/.test(account.accountNumber)) {
    throw invalidField('accountNumber', 'Must have at least 5 digits or letters.')
  }
}
