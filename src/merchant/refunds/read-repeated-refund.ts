// `Idempotency-Key` on refunds, for businesses that switched it on. The interface says that each
// call is a new refund, so for all others the header is ignored.
//
// A key names a refund or, if the refund was held, its approval. A repeat never sends anything: it
// gets the first refund as it is now, also when that one has failed.
import type { Actor } from '../../kernel/auth/actor.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Sql } from '../../kernel/db/database.ts'
import { idempotencyKeyHeader } from '../../kernel/operations/schemas.ts'
import { validated } from '../../kernel/operations/validate.ts'
import { type ShownStatus, shownStatus } from '../approvals/approval-record.ts'
import { findApproval } from '../approvals/approval-store.ts'
import { findTakesRefundKeys } from '../business/business-store.ts'
import type { Payment } from '../payments/payment.ts'
import { findPayment } from '../payments/payment-store.ts'
import type { Refund } from './refund.ts'
import { findRefund, listRefundsOfPayment } from './refund-store.ts'

// Held until a second person decides, or executed.
export type RequestedRefund =
  | {
      readonly approvalId: string
      readonly paymentId: string
      // Of a repeat: a refund that is no longer waiting was not made, and the key makes none.
      readonly approvalStatus?: ShownStatus
    }
  | { readonly payment: Payment; readonly refund: Refund }

// As long as the key of a payout. It is checked here and not by the route, because a header that is
// ignored can't be wrong.
const keyHeader = idempotencyKeyHeader(8, 64)

export async function acceptRefundKey(
  { database }: Pick<Context, 'database'>,
  { businessId }: Actor,
  key: string,
): Promise<string | undefined> {
  if (!(await findTakesRefundKeys(database.sql, businessId))) return undefined
  return validated(keyHeader, { 'idempotency-key': key })['idempotency-key']
}

export async function readRepeatedRefund(
  { database: { sql }, clock }: Pick<Context, 'database' | 'clock'>,
  actor: Actor,
  id: string,
  { paymentId }: { readonly paymentId: string },
): Promise<RequestedRefund> {
  const repeated = await readRequested(sql, actor, id, clock.now())
  // The answer would be about a payment that the caller did not name.
  if (paymentIdOf(repeated) !== paymentId) {
    throw new Fault('conflict', 'This idempotency key was already used for another payment.')
  }
  return repeated
}

function paymentIdOf(requested: RequestedRefund): string {
  return 'refund' in requested ? requested.refund.paymentId : requested.paymentId
}

async function readRequested(
  sql: Sql,
  tenant: Tenant,
  id: string,
  now: Date,
): Promise<RequestedRefund> {
  const refund = (await findRefund(sql, tenant, id)) ?? (await findApproved(sql, tenant, id))
  if (refund) {
    const payment = await findPayment(sql, tenant, refund.paymentId)
    return { payment: assertDefined(payment, 'a refund of no payment'), refund }
  }
  const found = await findApproval(sql, tenant, id)
  const approval = assertDefined(found, 'an idempotent refund vanished')
  return {
    approvalId: id,
    paymentId: approval.objectId,
    approvalStatus: shownStatus(approval, now),
  }
}

// What became of a held refund, if a second person has approved it.
async function findApproved(
  sql: Sql,
  tenant: Tenant,
  approvalId: string,
): Promise<Refund | undefined> {
  const approval = await findApproval(sql, tenant, approvalId)
  if (approval?.state !== 'approved') return undefined
  const refunds = await listRefundsOfPayment(sql, tenant, approval.objectId)
  return refunds.find((refund) => refund.approvalId === approvalId)
}
