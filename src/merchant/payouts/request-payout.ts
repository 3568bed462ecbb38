// The first step of a payout, in one transaction: records the payout with its key, its reservation
// and, if needed, its approval, or nothing.
import { type Actor, actorId } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { addSeconds } from '../../kernel/basics/clock.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { CallContext } from '../../kernel/operations/operation.ts'
import type { ServiceContext } from '../../kernel/operations/service-context.ts'
import { checkThreshold } from '../approvals/check-threshold.ts'
import { requestApproval } from '../approvals/request-approval.ts'
import type { SettlementAccount } from '../business/settlement-account.ts'
import type { ProviderName } from '../provider/provider.ts'
import { type DestinationType, type Payout, payoutReference } from './payout.ts'
import { noDestination, payoutApprovalRequest, sealDestination } from './payout-destination.ts'
import { pollAfterSendSeconds } from './payout-polling.ts'
import { insertPayout } from './payout-store.ts'
import {
  type BankDetails,
  checkDailyPayouts,
  reserveBalance,
  resolveDestination,
  type ShownAccount,
} from './reserve-payout.ts'
import { completePayout } from './settle-payout.ts'

export type PayoutInput = {
  readonly currency: string
  readonly amountMinor: bigint
  readonly destinationType: DestinationType
  readonly bankDetails?: BankDetails | undefined
  readonly shownAccount?: ShownAccount | undefined
  // Of the balance that it is paid from.
  readonly provider: ProviderName
}

export async function requestPayout(
  tx: Tx,
  context: ServiceContext & CallContext,
  actor: Actor,
  input: PayoutInput,
): Promise<Payout> {
  const id = context.ids.uuid()
  // First, so that a repeat waits here until the first call has ended.
  await context.call.claimKey(tx, id)
  const { currency, amountMinor, destinationType, bankDetails: said, shownAccount } = input
  const isToBank = destinationType === 'provider_bank'
  const account = isToBank
    ? await resolveDestination(tx, context, actor, { currency, said, shownAccount })
    : undefined
  const leftMinor = await reserveBalance(tx, actor, currency, amountMinor)
  const fresh = newPayout(context, actor, id, { ...input, leftMinor, account })
  const threshold = await checkThreshold(tx, actor, 'payout', currency, amountMinor)
  const daily = await checkDailyPayouts(tx, actor, fresh)
  const isHeld = threshold.isHeld || daily.isHeld
  const approvalId = isHeld
    ? await requestApproval(tx, context, actor, {
        operation: 'payout',
        objectId: id,
        request: payoutApprovalRequest(context.secrets, fresh, account),
      })
    : null
  const dailyLimitMinor = isHeld ? null : daily.limitMinor
  const payout = { ...fresh, approvalId, dailyLimitMinor, ...(isHeld ? {} : submitted(fresh)) }
  await insertPayout(tx, actor, payout)
  await recordPayout(tx, context, actor, payout)
  const isOver = !isHeld && !isToBank
  return isOver ? completePayout(tx, context, actor, payout, null) : payout
}

// Counted as sent before it is sent: after a crash it may have been, so it is looked up.
function submitted({ destinationType, createdAt }: Payout): Partial<Payout> {
  if (destinationType === 'service_account') return { status: 'processing' }
  return {
    status: 'processing',
    sends: 1,
    sentAt: createdAt,
    nextLookAt: addSeconds(createdAt, pollAfterSendSeconds),
  }
}

function newPayout(
  { clock, ids, secrets }: ServiceContext,
  actor: Actor,
  id: string,
  resolved: PayoutInput & {
    readonly leftMinor: bigint
    readonly account: SettlementAccount | undefined
  },
): Payout {
  const { currency, amountMinor, destinationType, leftMinor, account, provider } = resolved
  const now = clock.now()
  return {
    id,
    status: 'pending',
    currency,
    amountMinor,
    leftMinor,
    destinationType,
    ...(account ? sealDestination(secrets, ids, id, account) : noDestination),
    requestedByKind: actor.kind,
    requestedBy: actorId(actor),
    approvalId: null,
    dailyLimitMinor: null,
    provider,
    providerReference: account ? payoutReference(actor, id) : null,
    providerTransferId: null,
    feeMinor: null,
    failureReason: null,
    sends: 0,
    sentAt: null,
    refusedAt: null,
    nextLookAt: null,
    endedAt: null,
    contradictedAt: null,
    createdAt: now,
    updatedAt: now,
  }
}

async function recordPayout(
  tx: Tx,
  context: ServiceContext,
  actor: Actor,
  payout: Payout,
): Promise<void> {
  await recordAct(tx, context, actor, {
    action: 'payout.create',
    objectKind: 'payout',
    objectId: payout.id,
    detail: {
      currency: payout.currency,
      amountMinor: payout.amountMinor.toString(),
      destinationType: payout.destinationType,
      accountEnding: payout.accountEnding,
      approvalId: payout.approvalId,
    },
  })
}
