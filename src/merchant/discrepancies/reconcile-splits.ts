// Whether recipients really got their shares. The provider drops a split without a word when it
// does not understand it, and the charge succeeds all the same; so what its settlements say of
// every split charge is compared with what we booked. What differs is a discrepancy, which a person
// resolves.
import { addSeconds } from '../../kernel/basics/clock.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import { defineSchedule } from '../../kernel/jobs/schedule.ts'
import { toText } from '../../kernel/money/decimal.ts'
import type { MerchantContext } from '../context.ts'
import { collectedMinor } from '../payments/record-unmatched-charge.ts'
import type { Provider, SettledSplit } from '../provider/provider.ts'
import { insertDiscrepancy } from './discrepancy-store.ts'
import { byProvider } from './reconcile-charges.ts'
import {
  listSplitPaymentsSettled,
  listTenantsWithSplits,
  type SplitPayment,
  type Window,
} from './reconcile-store.ts'

const hour = 60 * 60
// Settlements are made a day or more after the charge; each is looked at several times.
const windowSeconds = 7 * 24 * hour

export const reconcileSplitsSchedule = defineSchedule({
  name: 'reconcile-splits',
  everySeconds: 6 * hour,
  async run(context: MerchantContext, signal) {
    const now = context.clock.now()
    const window = { from: addSeconds(now, -windowSeconds), to: now }
    const tenants = await listTenantsWithSplits(context.database.sql, window)
    for (const [provider, served] of await byProvider(context, tenants)) {
      if (signal.aborted) return
      await reconcile(context, provider, served, window)
    }
  },
})

async function reconcile(
  context: MerchantContext,
  provider: Provider,
  tenants: readonly Tenant[],
  window: Window,
): Promise<void> {
  const listed = await provider.listSettledSplits(window)
  if (listed.kind !== 'success') {
    context.log.warn({ tenants: tenants.length }, 'the provider did not list its settlements')
    context.onReconciliationFailed?.('splits')
    return
  }
  const splits = new Map(listed.value.map((split) => [split.reference, split]))
  for (const tenant of tenants) {
    for (const payment of await listSplitPaymentsSettled(context.database.sql, tenant, window)) {
      // What is not in a settlement yet is compared with the next look.
      const split = splits.get(payment.providerReference)
      if (split) await compare(context, tenant, payment, split)
    }
  }
}

// The provider rounds by itself, so a minor unit is no difference.
const roundingMinor = 1n

async function compare(
  context: MerchantContext,
  tenant: Tenant,
  payment: SplitPayment,
  split: SettledSplit,
): Promise<void> {
  const settledMinor = split.currency === payment.currency ? (collectedMinor(split) ?? 0n) : 0n
  const missingMinor = payment.splitMinor - settledMinor
  if (missingMinor <= roundingMinor && missingMinor >= -roundingMinor) return
  const found = {
    id: context.ids.uuid(),
    cause: settledMinor === 0n ? 'split_not_applied' : 'split_differs',
    objectKind: 'payment',
    objectId: payment.id,
    // As where the charge itself shows it, so that it is one discrepancy.
    transactionId: payment.providerTransactionId,
    detail: {
      split_recipient_id: payment.splitRecipientId,
      expected_minor: payment.splitMinor.toString(),
      settled: toText(split.amount),
      currency: split.currency,
    },
    createdAt: context.clock.now(),
  }
  await context.database.transaction((tx) => insertDiscrepancy(tx, tenant, found))
}
