// How others end payouts: an approval decision, an action of the provider or the bank, and a
// withdrawal from the wallet.

import { expect } from 'vitest'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { approveApproval } from '../../../src/merchant/approvals/approve-approval.ts'
import { rejectApproval } from '../../../src/merchant/approvals/reject-approval.ts'
import { withdrawFromWallet } from '../../../src/merchant/balances/withdraw-from-wallet.ts'
import { payoutReference } from '../../../src/merchant/payouts/payout.ts'
import { defineCommand, nothing, pick, type Subject } from '../command.ts'
import { isPaused } from '../model.ts'
import { balancesOf, becomePayout, type Payout, pickHeld } from '../money-out.ts'
import type { Real } from '../real.ts'

const approveOne = defineCommand(
  'approve payout',
  nothing,
  pickHeld,
  async (model, real, payout) => {
    const answer = await runOperation(approveApproval, real.world.context, real.approver, {
      id: payout.approvalId ?? '',
    }).then(
      () => 'executed',
      (error: { kind?: string }) => error.kind,
    )
    if (isPaused(model, 'payouts')) {
      expect(answer).toBe('service_paused')
      model.tally('approve payout × paused')
    } else if (balancesOf(model).available < 0n) {
      expect(answer).toBe('invalid_request')
      model.tally('approve payout × overdrawn')
    } else {
      expect(answer).toBe('executed')
      becomePayout(model, payout, payout.to === 'wallet' ? 'completed' : 'processing', 'approved')
    }
  },
)

const rejectOne = defineCommand(
  'reject payout',
  nothing,
  (model, nth) => (nth % 2 === 0 ? pickHeld(model, nth) : undefined),
  async (model, real, payout) => {
    await runOperation(rejectApproval, real.world.context, real.approver, {
      id: payout.approvalId ?? '',
      reason: 'No',
    })
    becomePayout(model, payout, 'cancelled', 'rejected')
  },
)

// What the provider does by itself, later.
const decide = defineCommand(
  'decide a pending transfer',
  nothing,
  (model, nth) => pick(model.payouts, nth, ({ transfer }) => transfer?.status === 'pending'),
  async (_model, real, payout) => endTransfer(real, payout),
)

export async function endTransfer(real: Real, payout: Payout): Promise<void> {
  await real.control('/proceed', { subject: 'transfer', reference: referenceOf(real, payout) })
  payout.transfer = { status: 'successful', isTold: true }
}

const sendBack = defineCommand(
  'the bank returns a transfer',
  nothing,
  (model, nth) =>
    pick(model.payouts, nth, (one) => nth % 2 === 0 && one.transfer?.status === 'successful'),
  async (_model, real, payout) => {
    const reference = referenceOf(real, payout)
    await real.control('/act', { subject: 'transfer', reference, step: 'FAILED' })
    payout.transfer = { status: 'failed', isTold: true }
  },
)

const referenceOf = ({ tenant }: Real, { id }: Payout) => payoutReference(tenant, id)

const takeBack = defineCommand(
  'take back from the wallet',
  ['part', 'too much'],
  (model) => (balancesOf(model).wallet > 0n ? model : undefined),
  async (model, real, _, size) => {
    const { wallet } = balancesOf(model)
    const amountMinor = size === 'part' ? 10_000n : wallet + 1n
    const { context } = real.world
    const actor = { ...real.tenant, kind: 'system', name: 'test' } as const
    const wanted = { currency: 'NGN', amountMinor }
    const answer = await runOperation(withdrawFromWallet, context, actor, wanted).then(
      () => 'executed',
      (error: { kind?: string }) => error.kind,
    )
    expect(answer).toBe(size === 'part' ? 'executed' : 'invalid_request')
    if (size === 'part') model.returnedMinor += amountMinor
  },
)

export const payoutEndings: Subject = {
  commands: [approveOne, approveOne, rejectOne, decide, sendBack, takeBack],
  reached: [
    'payout pending → processing × approved',
    'payout pending → completed × approved',
    'payout pending → cancelled × rejected',
    'approve payout × overdrawn',
    'payout × sent after approval',
    'payout × failed after completed',
    'decide a pending transfer',
    'take back from the wallet (part)',
    'take back from the wallet (too much)',
  ],
}
