// Checks that recipients really got their shares. The provider silently drops a split that it does
// not understand, and the charge still succeeds. So its settlements of every split charge are
// compared with our postings. A difference becomes a discrepancy.
import { addSeconds } from '../../kernel/basics/clock.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import { defineSchedule } from '../../kernel/jobs/schedule.ts'
import { toText } from '../../kernel/money/decimal.ts'
import type { MerchantContext } from '../context.ts'
import { collectedMinor } from '../payments/record-unmatched-charge.ts'
import type { Provider, SettledSplit } from '../provider/provider.ts'
import { byProvider } from './reconcile-charges.ts'
import {
  listSplitPaymentsSettled,
  listTenantsWithSplits,
  type SplitPayment,
  type Window,
} from './reconcile-store.ts'
import { recordDiscrepancy } from './record-discrepancy.ts'

const hour = 60 * 60
// Settlements come a day or more after the charge. Each is compared several times.
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
      // A charge that is not in a settlement yet is compared in a later run.
      const split = splits.get(payment.providerReference)
      if (split) await compare(context, tenant, payment, split)
    }
  }
}

// The provider rounds by itself, so one minor unit is not a difference.
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
    // The same id as for a difference found in the charge itself, so that there is one discrepancy.
    transactionId: payment.providerTransactionId,
    detail: {
      split_recipient_id: payment.splitRecipientId,
      expected_minor: payment.splitMinor.toString(),
      settled: toText(split.amount),
      currency: split.currency,
    },
    createdAt: context.clock.now(),
  }
  await context.database.transaction((tx) => recordDiscrepancy(tx, context, tenant, found))
}
