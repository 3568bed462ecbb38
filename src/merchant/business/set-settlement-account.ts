// Sets a settlement account, which receives payouts. It decides where the money of a business goes,
// so another person must approve it, if the business has one who can; until then payouts go to the
// old account. Earlier payouts keep their destination, and those that are still held can no longer
// be approved.
import { z } from 'zod'
import { nameActor } from '../../kernel/access/people-news.ts'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { lockBusiness } from '../../kernel/auth/business-store.ts'
import { brokenRule, Fault, invalidField } from '../../kernel/basics/fault.ts'
import { isOneLine } from '../../kernel/basics/one-line.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { notify } from '../../kernel/notices/notify.ts'
import { adminRoles, approverRoles, requirePerson } from '../../kernel/operations/permission.ts'
import { currencyCode } from '../../kernel/operations/schemas.ts'
import type { ServiceContext } from '../../kernel/operations/service-context.ts'
import { listOtherMembers } from '../approvals/approval-store.ts'
import { defineOperation, type MerchantContext } from '../context.ts'
import { requestSettlementAccount } from './request-settlement-account.ts'
import {
  type AccountPurpose,
  isOfAccount,
  type MaskedAccount,
  maskAccount,
  normalAccount,
  openAccount,
  type SettlementAccount,
  sealAccount,
} from './settlement-account.ts'
import { changedAccountNotice } from './settlement-account-notice.ts'
import { findReplacedAccount, insertOrUpdateSettlementAccount } from './settlement-account-store.ts'

// The provider's limits for a transfer.
const limits = { bankCode: 11, accountNumber: 20, beneficiaryName: 100 } as const

// With an approval, the account waits for another person.
export type SetSettlementAccount = MaskedAccount & { readonly approvalId: string | null }

export const setSettlementAccount = defineOperation({
  name: 'set-settlement-account',
  summary: 'Set a settlement account; another person must approve it, if there is one',
  kind: 'write',
  input: z.strictObject({
    // Null for all currencies without their own account.
    currency: currencyCode().nullable().default(null),
    bankCode: z.string(),
    accountNumber: z.string(),
    // Empty for the name that the bank has.
    beneficiaryName: z.string(),
  }),
  scopes: [],
  roles: adminRoles,
  // People only, because it decides where all the money of a business goes.
  peopleOnly: true,
  checks: [liveOnly],
  async run(context, actor, { currency, ...typed }): Promise<SetSettlementAccount> {
    const { businessId, personId } = requirePerson(actor)
    checkNumber(normalAccount(typed))
    const holderName = await findHolder(context, actor, typed)
    const account = completeAccount(typed, holderName)
    const purpose = { currency, holderName }
    const approvalId = await context.database.transaction(async (tx) => {
      await lockBusiness(tx, businessId)
      await requireNew(tx, context, actor, account, currency)
      const others = await listOtherMembers(tx, businessId, personId, approverRoles)
      if (others.length > 0) return requestSettlementAccount(tx, context, actor, account, purpose)
      await writeSettlementAccount(tx, context, actor, { ...account, ...purpose })
      return null
    })
    return { ...maskAccount(account, purpose), approvalId }
  },
})

// The caller has checked that the actor may do this.
export async function writeSettlementAccount(
  tx: Tx,
  context: Pick<ServiceContext, 'clock' | 'ids' | 'secrets' | 'onAct'>,
  actor: Actor,
  wanted: SettlementAccount & Partial<AccountPurpose>,
): Promise<void> {
  const { currency = null, holderName = null } = wanted
  const account = normalAccount(wanted)
  checkAccount(account)
  await lockBusiness(tx, actor.businessId)
  const before = await findReplacedAccount(tx, actor, currency)
  const sealed = sealAccount(context.secrets, context.ids.uuid(), account, { currency, holderName })
  await insertOrUpdateSettlementAccount(tx, actor, sealed, context.clock.now())
  const masked = maskAccount(account, { currency, holderName })
  await recordAct(tx, context, actor, {
    action: 'settlement_account.set',
    objectKind: 'business',
    objectId: actor.businessId,
    detail: { ...masked, isFirst: before === undefined },
  })
  const by = await nameActor(tx, actor)
  await notify(tx, context, actor, changedAccountNotice(sealed.id, masked, by))
}

export function liveOnly(_context: MerchantContext, { environment }: Actor): void {
  if (environment === 'live') return
  throw brokenRule('The sandbox has no payouts, so it needs no bank account.')
}

// A provider that can't tell must not keep a business from its own money.
async function findHolder(
  context: MerchantContext,
  actor: Actor,
  typed: SettlementAccount,
): Promise<string | null> {
  const { bankCode, accountNumber } = normalAccount(typed)
  try {
    const provider = await context.providerFor(actor)
    const holder = await provider.findAccountHolder({ bankCode, accountNumber })
    return holder.kind === 'success' ? holder.value : null
  } catch (error) {
    if (error instanceof Fault) return null
    throw error
  }
}

function completeAccount(typed: SettlementAccount, holderName: string | null): SettlementAccount {
  const account = normalAccount(typed)
  if (account.beneficiaryName !== '' || holderName === null) {
    checkAccount(account)
    return account
  }
  const named = { ...account, beneficiaryName: holderName.slice(0, limits.beneficiaryName) }
  return normalAccount(named)
}

async function requireNew(
  tx: Tx,
  { secrets }: Pick<ServiceContext, 'secrets'>,
  actor: Actor,
  account: SettlementAccount,
  currency: string | null,
): Promise<void> {
  const before = await findReplacedAccount(tx, actor, currency)
  if (!before || !isOfAccount(openAccount(secrets, before), account)) return
  throw invalidField('accountNumber', 'Payouts go to this account already.')
}

function checkAccount(account: SettlementAccount): void {
  for (const [field, max] of Object.entries(limits)) {
    const value = account[field as keyof typeof limits]
    if (value === '' || value.length > max || !isOneLine(value)) {
      throw invalidField(field, `Must be one line of 1 to ${max} characters.`)
    }
  }
  checkNumber(account)
}

// With fewer digits, showing only the last ones would show all of them.
function checkNumber({ accountNumber }: SettlementAccount): void {
  if (!/^[0-9A-Z]{5,}$/.test(accountNumber)) {
    throw invalidField('accountNumber', 'Must have at least 5 digits or letters.')
  }
}
