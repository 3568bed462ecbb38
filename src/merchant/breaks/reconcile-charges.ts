// Reconciliation: our records against the provider's own list. Whatever the list says that we have
// not applied yet is applied as a fact; what one side has and the other has not becomes a break.

import { addSeconds } from '../../kernel/basics/clock.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import { defineSchedule } from '../../kernel/jobs/schedule.ts'
import { toText } from '../../kernel/money/decimal.ts'
import { parseHostedReference } from '../checkout/hosted-reference.ts'
import type { MerchantContext } from '../context.ts'
import { applyChargeFact } from '../payments/apply-charge-fact.ts'
import { isCollected, type Payment } from '../payments/payment.ts'
import { findPayment } from '../payments/payment-store.ts'
import type { ChargeFact, Outcome, Provider } from '../provider/provider.ts'
import { insertBreak, type NewBreak } from './break-store.ts'
import { listCollectedBetween, listTenantsWithPayments, type Window } from './reconcile-store.ts'

const hour = 60 * 60
const windowSeconds = 72 * hour
// What has just happened may not be in the provider's list yet.
const freshSeconds = hour

// Ends a provider that never says "last page".
const pagesMax = 10_000

export const reconcileChargesSchedule = defineSchedule({
  name: 'reconcile-charges',
  everySeconds: 6 * hour,
  async run(context: MerchantContext, signal) {
    const now = context.clock.now()
    const from = addSeconds(now, -windowSeconds)
    const tenants = await listTenantsWithPayments(context.database.sql, from)
    for (const [provider, served] of await byProvider(context, tenants)) {
      if (signal.aborted) return
      await reconcile(context, provider, served, { from, to: now })
    }
  },
})

// One account at the provider may serve many businesses; its list is read once.
export async function byProvider(context: MerchantContext, tenants: readonly Tenant[]) {
  const served = new Map<Provider, Tenant[]>()
  for (const tenant of tenants) {
    const provider = await providerOf(context, tenant)
    if (provider) served.set(provider, [...(served.get(provider) ?? []), tenant])
  }
  return served
}

// A provider that is configured no more must not keep the others from being compared.
async function providerOf(context: MerchantContext, tenant: Tenant): Promise<Provider | undefined> {
  try {
    return await context.providerFor(tenant)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    context.log.warn({ environment: tenant.environment }, 'a business has no provider any more')
    return undefined
  }
}

async function reconcile(
  context: MerchantContext,
  provider: Provider,
  tenants: readonly Tenant[],
  window: Window,
): Promise<void> {
  const charges = await listEvery(async (page) => {
    const listed = await provider.listCharges({ ...window, page })
    if (listed.kind !== 'success') return listed
    const { charges: items, hasMore } = listed.value
    return { kind: 'success', value: { items, hasMore } }
  })
  if (!charges) {
    context.log.warn({ tenants: tenants.length }, 'the provider did not list its charges')
    return
  }
  for (const charge of charges) await compare(context, tenants, charge)
  const listed = new Set(charges.map(({ reference }) => reference))
  const to = addSeconds(window.to, -freshSeconds)
  for (const tenant of tenants) {
    // The list is by whole days, so it begins before the window.
    const ours = await listCollectedBetween(context.database.sql, tenant, { ...window, to })
    for (const { id, providerReference } of ours) {
      if (listed.has(providerReference)) continue
      await record(context, tenant, 'missing_there', id, { reference: providerReference })
    }
  }
}

// Undefined when a page could not be read: half a list would make breaks of the other half.
export async function listEvery<Item>(
  listPage: (page: number) => Promise<Outcome<{ items: Item[]; hasMore: boolean }>>,
): Promise<Item[] | undefined> {
  const all: Item[] = []
  for (let page = 1; page <= pagesMax; page += 1) {
    const outcome = await listPage(page)
    if (outcome.kind !== 'success') return undefined
    all.push(...outcome.value.items)
    if (!outcome.value.hasMore) return all
  }
  return undefined
}

// A charge without a reference of ours was made by another program on the same account.
async function compare(
  context: MerchantContext,
  tenants: readonly Tenant[],
  charge: ChargeFact,
): Promise<void> {
  const meant = parseHostedReference(charge.reference)
  const tenant = meant && tenants.find((one) => isSame(one, meant.tenant))
  if (!tenant) return
  const payment = await findPayment(context.database.sql, tenant, meant.id)
  if (!payment) {
    if (charge.status !== 'successful') return
    const { transactionId, currency, amount } = charge
    const detail = { transaction_id: transactionId, amount: toText(amount), currency }
    return record(context, tenant, 'missing_here', meant.id, detail)
  }
  if (isKnown(payment, charge)) return
  await context.database.transaction((tx) =>
    applyChargeFact(tx, context, tenant, payment.id, charge),
  )
}

// Spares the lock of a payment that agrees with its charge.
function isKnown(payment: Payment, charge: ChargeFact): boolean {
  const isSettled = charge.amountSettled === null || payment.settledAt !== null
  if (payment.providerTransactionId !== charge.transactionId) return false
  if (charge.status === 'successful') return isCollected(payment) && isSettled
  return charge.status === 'failed' && payment.status === 'failed'
}

function isSame(one: Tenant, other: Tenant): boolean {
  return one.businessId === other.businessId && one.environment === other.environment
}

async function record(
  context: MerchantContext,
  tenant: Tenant,
  cause: string,
  objectId: string,
  detail: NewBreak['detail'],
): Promise<void> {
  const createdAt = context.clock.now()
  const id = context.ids.uuid()
  const found = { id, cause, objectKind: 'payment', objectId, detail, createdAt }
  await context.database.transaction((tx) => insertBreak(tx, tenant, found))
}
