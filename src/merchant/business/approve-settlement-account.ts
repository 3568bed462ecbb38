import type { PersonActor } from '../../kernel/auth/actor.ts'
import { lockBusiness } from '../../kernel/auth/business-store.ts'
import { findMember } from '../../kernel/auth/membership-store.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { adminRoles } from '../../kernel/operations/permission.ts'
import type { ServiceContext } from '../../kernel/operations/service-context.ts'
import { type Approval, requestHash } from '../approvals/approval.ts'
import { decideApproval, requireDecidable } from '../approvals/decide-approval.ts'
import { type Approving, voidApproval } from '../approvals/void-approval.ts'
import { eraseSettlementAccount, removalRequest } from './remove-settlement-account.ts'
import { accountRequest, openRequest } from './request-settlement-account.ts'
import { writeSettlementAccount } from './set-settlement-account.ts'
import { findAccountRequest, findReplacedAccount } from './settlement-account-store.ts'

const changed = 'The bank account has changed since this request. Request the new one again.'
const changedMeanwhile = 'The bank account has changed since this request. It was not removed.'
const left = 'The person who asked for it may no longer do so. Request it again.'

// Payouts go to the new account from now on, or no longer to the removed one. The request holds the
// account that the approver saw.
export async function approveSettlementAccount(
  tx: Tx,
  context: ServiceContext,
  approver: PersonActor,
  approval: Approval,
): Promise<Approving> {
  await requireDecidable(tx, context, approver, approval.id)
  const { businessId } = approver
  await lockBusiness(tx, businessId)
  const requesterId = assertDefined(approval.requesterPersonId, 'an account that no one asked for')
  const requester = await findMember(tx, businessId, requesterId)
  if (!requester || !adminRoles.includes(requester.role)) {
    return voidApproval(tx, context, approver, approval, left)
  }
  if (approval.request.removes) return approveRemoval(tx, context, approver, approval)
  const requested = assertDefined(
    await findAccountRequest(tx, approver, approval.id),
    'an approval of no account',
  )
  const account = openRequest(context.secrets, requested)
  const now = await accountRequest(tx, context, approver, account)
  if (!requestHash(approver, 'settlement_account', now).equals(approval.requestHash)) {
    return voidApproval(tx, context, approver, approval, changed)
  }
  await decideApproval(tx, context, approver, approval.id, { state: 'approved' })
  await writeSettlementAccount(tx, context, approver, account)
  return { kind: 'executed' }
}

async function approveRemoval(
  tx: Tx,
  context: ServiceContext,
  approver: PersonActor,
  approval: Approval,
): Promise<Approving> {
  const { currency = null } = approval.request
  const stored = await findReplacedAccount(tx, approver, currency)
  const now = requestHash(
    approver,
    'settlement_account',
    stored ? removalRequest(context, stored) : {},
  )
  if (!stored || !now.equals(approval.requestHash)) {
    return voidApproval(tx, context, approver, approval, changedMeanwhile)
  }
  await decideApproval(tx, context, approver, approval.id, { state: 'approved' })
  await eraseSettlementAccount(tx, context, approver, stored)
  return { kind: 'executed' }
}
