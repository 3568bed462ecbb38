// Reconciliation: compares our charges with the provider's list. Facts in the list that are not
// applied yet are applied; a charge that only one side has becomes a discrepancy.

import { addSeconds } from '../../kernel/basics/clock.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import { parseHostedReference } from '../../kernel/basics/hosted-reference.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import { defineSchedule } from '../../kernel/jobs/schedule.ts'
import { toText } from '../../kernel/money/decimal.ts'
import type { MerchantContext } from '../context.ts'
import { applyChargeFact } from '../payments/apply-charge-fact.ts'
import { isCollected, type Payment } from '../payments/payment.ts'
import { findPayment } from '../payments/payment-store.ts'
import { collectedMinor } from '../payments/record-unmatched-charge.ts'
import { resolveUnresolvedPayment } from '../payments/record-unresolved-payment.ts'
import { resolvePayment } from '../payments/resolve-payment.ts'
import type { ChargeFact, Outcome, Provider } from '../provider/provider.ts'
import type { NewDiscrepancy } from './discrepancy.ts'
import { listCollectedBetween, listTenantsWithPayments, type Window } from './reconcile-store.ts'
import { recordDiscrepancy } from './record-discrepancy.ts'

const hour = 60 * 60
const day = 24 * hour
const windowSeconds = 3 * day
// New charges may not be in the provider's list yet.
const freshSeconds = hour

// Ends the loop if the provider never says "last page".
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

// After how many days a day is compared again: a charge can be reversed for months, ever more
// rarely, and the message about it can be lost.
const agesDays = [4, 5, 6, 7, 10, 14, 21, 30, 45, 60, 90, 120]

export const reconcileOlderChargesSchedule = defineSchedule({
  name: 'reconcile-older-charges',
  everySeconds: day,
  async run(context: MerchantContext, signal) {
    const now = context.clock.now()
    for (const age of agesDays) {
      const to = addSeconds(now, -age * day)
      const from = addSeconds(to, -day)
      const tenants = await listTenantsWithPayments(context.database.sql, from, to)
      for (const [provider, served] of await byProvider(context, tenants)) {
        if (signal.aborted) return
        await reconcile(context, provider, served, { from, to })
      }
    }
  },
})

// One account at the provider can serve many businesses. Its list is read once.
export async function byProvider(context: MerchantContext, tenants: readonly Tenant[]) {
  const served = new Map<Provider, Tenant[]>()
  for (const tenant of tenants) {
    const provider = await providerOf(context, tenant)
    if (provider) served.set(provider, [...(served.get(provider) ?? []), tenant])
  }
  return served
}

// A provider that is no longer configured must not stop the comparison of the others.
async function providerOf(context: MerchantContext, tenant: Tenant): Promise<Provider | undefined> {
  try {
    return await context.providerFor(tenant)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    context.log.warn({ environment: tenant.environment }, 'a business no longer has a provider')
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
    context.onReconciliationFailed?.('charges')
    return
  }
  const listed = Map.groupBy(charges, ({ reference }) => reference)
  for (const [reference, tries] of listed) {
    try {
      await compare(context, tenants, reference, tries)
    } catch (error) {
      // The others must not wait for this one. The next run tries again.
      context.log.error({ reference, err: error }, 'a charge could not be compared')
      context.onReconciliationFailed?.('charges')
    }
  }
  const fresh = addSeconds(context.clock.now(), -freshSeconds)
  const to = fresh < window.to ? fresh : window.to
  for (const tenant of tenants) {
    // The list is by whole days, so it starts before the window.
    const wanted = { ...window, to, provider: provider.name }
    const ours = await listCollectedBetween(context.database.sql, tenant, wanted)
    for (const { id, providerReference } of ours) {
      if (listed.has(providerReference)) continue
      await record(context, tenant, 'missing_there', id, { reference: providerReference })
    }
  }
}

// Undefined if a page could not be read: a partial list would cause discrepancies for the rest.
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

// A charge without a reference of ours was made by another program on the same account. A payer may
// have tried more than once with one reference.
async function compare(
  context: MerchantContext,
  tenants: readonly Tenant[],
  reference: string,
  tries: readonly ChargeFact[],
): Promise<void> {
  const meant = parseHostedReference(reference)
  const tenant = meant && tenants.find((one) => isSame(one, meant.tenant))
  if (!tenant) return
  const payment = await findPayment(context.database.sql, tenant, meant.id)
  const successes = tries.filter(({ status }) => status === 'successful')
  if (!payment) {
    const [charge] = successes
    if (!charge) return
    const { transactionId, currency, amount } = charge
    const detail = { transaction_id: transactionId, amount: toText(amount), currency }
    return record(context, tenant, 'missing_here', meant.id, detail)
  }
  for (const charge of successes) {
    if (isKnown(payment, charge)) continue
    await context.database.transaction(async (tx) => {
      const applied = await applyChargeFact(tx, context, tenant, payment.id, charge)
      await resolveUnresolvedPayment(tx, context, tenant, applied)
    })
  }
  // If the list contradicts a payment, the provider must confirm it in a lookup of this reference:
  // if one try was declined and another is under way, the latter counts.
  const isAgainst = successes.length === 0 && tries.some((charge) => !isKnown(payment, charge))
  if (isAgainst) await resolvePayment(context, tenant, payment.id)
}

// Avoids locking a payment that agrees with its charge.
function isKnown(payment: Payment, charge: ChargeFact): boolean {
  const isSettled = charge.amountSettled === null || payment.settledAt !== null
  if (payment.providerTransactionId !== charge.transactionId) return false
  if (charge.status === 'successful') {
    return isCollected(payment) && isSettled && isPaidExactly(payment, charge)
  }
  return charge.status === 'failed' && payment.status === 'failed'
}

function isPaidExactly({ currency, amountMinor }: Payment, charge: ChargeFact): boolean {
  return charge.currency === currency && collectedMinor(charge) === amountMinor
}

function isSame(one: Tenant, other: Tenant): boolean {
  return one.businessId === other.businessId && one.environment === other.environment
}

async function record(
  context: MerchantContext,
  tenant: Tenant,
  cause: string,
  objectId: string,
  detail: NewDiscrepancy['detail'],
): Promise<void> {
  const createdAt = context.clock.now()
  const id = context.ids.uuid()
  const found = { id, cause, objectKind: 'payment', objectId, detail, createdAt }
  await context.database.transaction((tx) => recordDiscrepancy(tx, context, tenant, found))
}
