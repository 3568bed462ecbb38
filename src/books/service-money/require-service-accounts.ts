// The accounts for money of the merchant service besides clearing and fees. Books that were opened
// before these accounts existed get them when needed.
import { assertDefined } from '../../kernel/basics/assert.ts'
import { invalidField } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { findAccountIdByCode, insertAccount } from '../accounts/account-store.ts'
import { type ChartEntry, shareAccount, unassignedAccount } from '../accounts/default-chart.ts'
import { requireAccounts } from '../accounts/require-accounts.ts'
import { findPaymentAccount, type PaymentAccount } from '../payments/payment-account-store.ts'
import { listBankAccounts } from './bank-account-store.ts'
import type { ServiceSettings } from './service-settings.ts'

export type ServiceAccounts = Pick<
  ServiceSettings,
  'unassignedAccountId' | 'shareAccountId' | 'payoutAccountId'
>

type Wanted = { readonly [Name in keyof ServiceAccounts]?: string | undefined }

// The named ones, else those of the settings, else those of the default chart.
export async function requireServiceAccounts(
  tx: Tx,
  context: Context,
  tenant: Tenant,
  wanted: Wanted,
  set: ServiceAccounts | undefined,
): Promise<ServiceAccounts> {
  const { unassignedAccountId, shareAccountId, payoutAccountId } = wanted
  await requireAccounts(tx, tenant, { unassignedAccountId, shareAccountId, payoutAccountId })
  for (const [field, id] of Object.entries({ unassignedAccountId, shareAccountId })) {
    if (id !== undefined) await requireBesideClearing(tx, tenant, field, id)
  }
  if (payoutAccountId !== undefined) await requireBank(tx, tenant, payoutAccountId)
  const ofChart = (entry: ChartEntry, field: keyof ServiceAccounts) =>
    findOrCreate(tx, context, tenant, entry, field)
  return {
    unassignedAccountId:
      unassignedAccountId ??
      set?.unassignedAccountId ??
      (await ofChart(unassignedAccount, 'unassignedAccountId')),
    shareAccountId:
      shareAccountId ?? set?.shareAccountId ?? (await ofChart(shareAccount, 'shareAccountId')),
    payoutAccountId:
      payoutAccountId ?? set?.payoutAccountId ?? (await requireFirstBank(tx, tenant)),
  }
}

async function requireBank(tx: Tx, tenant: Tenant, id: string): Promise<void> {
  const { subtype } = await requireKeptInBase(tx, tenant, 'payoutAccountId', id)
  if (subtype === 'bank') return
  throw invalidField('payoutAccountId', 'Payouts go to a bank account. Choose one.')
}

// On clearing itself, a payment and its purpose would cancel each other out.
async function requireBesideClearing(
  tx: Tx,
  tenant: Tenant,
  field: string,
  id: string,
): Promise<void> {
  const { subtype } = await requireKeptInBase(tx, tenant, field, id)
  if (subtype !== 'clearing') return
  throw invalidField(
    field,
    'The clearing account is for money that the merchant service holds. Choose another account.',
  )
}

// All currencies go there. A payout in another currency uses the bank account in that currency.
async function requireKeptInBase(
  tx: Tx,
  tenant: Tenant,
  field: string,
  id: string,
): Promise<PaymentAccount> {
  const account = assertDefined(await findPaymentAccount(tx, tenant, id), 'an account vanished')
  if (account.currency === null) return account
  const name = `${account.code} ${account.name}`
  const message = `${name} is kept in ${account.currency}. Choose one in the base currency.`
  throw invalidField(field, message)
}

async function requireFirstBank(tx: Tx, tenant: Tenant): Promise<string> {
  const [first] = await listBankAccounts(tx, tenant, null)
  if (first === undefined) {
    throw invalidField('payoutAccountId', 'There is no bank account for payouts.')
  }
  return first
}

async function findOrCreate(
  tx: Tx,
  { ids, clock }: Context,
  tenant: Tenant,
  entry: ChartEntry,
  field: keyof ServiceAccounts,
): Promise<string> {
  const found = await findAccountIdByCode(tx, tenant, entry.code)
  if (found === undefined) {
    const id = ids.uuid()
    const account = { ...entry, id, active: true, currency: null, createdAt: clock.now() }
    await insertAccount(tx, tenant, account)
    return id
  }
  const account = await findPaymentAccount(tx, tenant, found)
  const isFit = account?.active && account.subtype === entry.subtype && account.currency === null
  if (isFit) return found
  throw invalidField(field, `${entry.code} is already another account. Choose the one to use.`)
}
