// When a real provider is configured on a database on which the simulator served live keys, the
// money of the simulator must never be paid out through the real one. So the simulator is closed
// for every business that is not a demo, for good: what is open ends without money, and its
// money moves to separate ledger accounts, which no payout and no refund touches. What the
// simulator registered or verified no longer counts (close-registrations.ts).
//
// The order matters. The real provider is recorded first: from then on no live key reaches the
// simulator. No process with a real provider serves anyone before the businesses are done.
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { findBusiness } from '../../kernel/auth/business-store.ts'
import { assert, assertDefined } from '../../kernel/basics/assert.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { lockCreditBalances, post } from '../../kernel/ledger/ledger.ts'
import { posting } from '../../kernel/ledger/posting.ts'
import { updateApprovalWithdrawn } from '../approvals/approval-store.ts'
import type { MerchantContext } from '../context.ts'
import { ledgerAccounts, simulatedAccount } from '../ledger-accounts.ts'
import { failPayment } from '../payments/fail-payment.ts'
import { isOpen } from '../payments/payment.ts'
import { lockPayment } from '../payments/payment-store.ts'
import { cancelHeldPayout } from '../payouts/cancel-payout.ts'
import { lockPayout, updatePayout } from '../payouts/payout-store.ts'
import { failPayout } from '../payouts/settle-payout.ts'
import { findRefund } from '../refunds/refund-store.ts'
import { settleRefund } from '../refunds/settle-refund.ts'
import { closeRegistrations } from './close-registrations.ts'
import {
  findLiveProvider,
  findSeparated,
  insertLiveProvider,
  listOpenSimulated,
  listSimulatedBalances,
  updateLiveProviderSeparated,
  updateNoMoreLooks,
  updateUnansweredPayouts,
} from './live-provider-store.ts'
import type { ProviderName } from './provider.ts'

// `businessIds` are those that the simulator knows in the live environment.
export async function closeSimulator(
  context: MerchantContext,
  name: ProviderName,
  businessIds: readonly string[],
): Promise<void> {
  const { database, clock, log } = context
  await insertLiveProvider(database.sql, name, clock.now())
  await closeRegistrations(context)
  const { separatedAt } = assertDefined(await findLiveProvider(database.sql), 'no live provider')
  if (separatedAt) return
  for (const businessId of businessIds) {
    const business = await findBusiness(database.sql, businessId)
    if (!business || business.isDemo) continue
    const tenant = { businessId, environment: 'live' } as const
    await database.transaction((tx) => closeBusiness(tx, context, tenant))
    log.warn({ businessId }, 'simulated live money was separated from real money')
  }
  await updateLiveProviderSeparated(database.sql, clock.now())
}

const reason = 'the simulator no longer serves live payments'

async function closeBusiness(tx: Tx, context: MerchantContext, tenant: Tenant): Promise<void> {
  // Another process may have been faster.
  if (await findSeparated(tx, tenant)) return
  const actor = { ...tenant, kind: 'system', name: 'close the simulator' } as const
  const { paymentIds, payoutIds, refundIds } = await listOpenSimulated(tx, tenant)
  for (const id of paymentIds) {
    const payment = await lockPayment(tx, tenant, id)
    if (payment && isOpen(payment)) await failPayment(tx, context, tenant, payment, { reason })
  }
  for (const id of refundIds) {
    const refund = assertDefined(await findRefund(tx, tenant, id), 'a refund vanished')
    const status = refund.status === 'accepted' ? 'settled' : 'failed'
    const discrepancyCause = 'refund_not_found'
    const verdict = { status, refundId: refund.providerRefundId, reason, discrepancyCause } as const
    await settleRefund(tx, context, actor, refund, verdict)
  }
  for (const id of payoutIds) await endPayout(tx, context, actor, id)
  await updateUnansweredPayouts(tx, tenant, context.clock.now())
  await updateNoMoreLooks(tx, tenant)
  await separateBalances(tx, context, tenant)
  await recordAct(tx, context, actor, {
    action: 'provider.separate',
    objectKind: 'business',
    objectId: tenant.businessId,
    detail: {
      payments: String(paymentIds.length),
      payouts: String(payoutIds.length),
      refunds: String(refundIds.length),
    },
  })
}

async function endPayout(
  tx: Tx,
  context: MerchantContext,
  actor: Parameters<typeof failPayout>[2],
  id: string,
): Promise<void> {
  const payout = assertDefined(await lockPayout(tx, actor, id), 'a payout vanished')
  const { status, approvalId } = payout
  if (status === 'pending') {
    const held = assertDefined(approvalId ?? undefined, 'a pending payout without an approval')
    assert(await updateApprovalWithdrawn(tx, actor, held), `the approval of payout ${id} has ended`)
    await cancelHeldPayout(tx, context, actor, payout)
  }
  if (status === 'processing') await failPayout(tx, context, actor, payout, reason, null)
  const updatedAt = context.clock.now()
  await updatePayout(tx, actor, id, { provider: 'simulator', updatedAt })
}

async function separateBalances(tx: Tx, context: MerchantContext, tenant: Tenant): Promise<void> {
  const { merchantAvailable: account } = ledgerAccounts
  const currencies = new Set((await listSimulatedBalances(tx, tenant)).map((one) => one.currency))
  const locked = [...currencies].map((currency) => ({ account, currency }))
  await lockCreditBalances(tx, tenant, locked)
  // Read again under the locks: a payout may have been booked before.
  const balances = await listSimulatedBalances(tx, tenant)
  if (balances.length === 0) return
  const lines = balances.flatMap(({ account: from, currency, amountMinor }) => [
    { account: from, currency, amountMinor: -amountMinor },
    { account: simulatedAccount(from), currency, amountMinor },
  ])
  const { businessId: sourceId } = tenant
  await post(tx, context, tenant, posting({ kind: 'provider.separated', sourceId, lines }))
}
