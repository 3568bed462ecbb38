// Removes a settlement account. Payouts that went to it go to the account of all other currencies,
// or to none, so another person must approve it, as they do a new account. Payouts that are still
// held can no longer be approved.
import { z } from 'zod'
import { nameActor } from '../../kernel/access/people-news.ts'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { lockBusiness } from '../../kernel/auth/business-store.ts'
import { Fault, notFound } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { notify } from '../../kernel/notices/notify.ts'
import { adminRoles, approverRoles, requirePerson } from '../../kernel/operations/permission.ts'
import { currencyCode } from '../../kernel/operations/schemas.ts'
import type { ServiceContext } from '../../kernel/operations/service-context.ts'
import type { ApprovalRequest } from '../approvals/approval.ts'
import { listOtherMembers } from '../approvals/approval-store.ts'
import { requestApproval } from '../approvals/request-approval.ts'
import { defineOperation } from '../context.ts'
import { liveOnly } from './set-settlement-account.ts'
import {
  type MaskedAccount,
  maskAccount,
  openAccount,
  type StoredSettlementAccount,
} from './settlement-account.ts'
import { removedAccountNotice } from './settlement-account-notice.ts'
import { deleteSettlementAccount, findReplacedAccount } from './settlement-account-store.ts'

// With an approval, the account stays until another person has agreed.
export type RemovedSettlementAccount = MaskedAccount & { readonly approvalId: string | null }

type Keys = Pick<ServiceContext, 'secrets'>

export const removeSettlementAccount = defineOperation({
  name: 'remove-settlement-account',
  summary: 'Remove a settlement account; another person must approve it, if there is one',
  kind: 'write',
  input: z.strictObject({
    // Null for the one of all currencies without their own account.
    currency: currencyCode().nullable().default(null),
    // The last digits of the account that the person saw, so that no other one is removed.
    accountEnding: z.string(),
  }),
  scopes: [],
  roles: adminRoles,
  peopleOnly: true,
  checks: [liveOnly],
  async run(context, actor, { currency, accountEnding }): Promise<RemovedSettlementAccount> {
    const { businessId, personId } = requirePerson(actor)
    return context.database.transaction(async (tx) => {
      await lockBusiness(tx, businessId)
      const stored = await findReplacedAccount(tx, actor, currency)
      if (!stored) throw notFound('bank account')
      const masked = maskStored(context, stored)
      if (masked.accountEnding !== accountEnding) {
        throw new Fault('conflict', 'The bank account has changed. Check it and try again.')
      }
      const others = await listOtherMembers(tx, businessId, personId, approverRoles)
      if (others.length === 0) {
        await eraseSettlementAccount(tx, context, actor, stored)
        return { ...masked, approvalId: null }
      }
      const approvalId = await requestApproval(tx, context, actor, {
        operation: 'settlement_account',
        objectId: businessId,
        request: removalRequest(context, stored),
      })
      return { ...masked, approvalId }
    })
  },
})

// What an approver agrees to. Every change gives the account another id, so that a request never
// removes an account that its approver did not see.
export function removalRequest(context: Keys, stored: StoredSettlementAccount): ApprovalRequest {
  const { currency, bankCode, accountEnding, beneficiaryName } = maskStored(context, stored)
  return {
    removes: stored.id,
    currency,
    beforeBankCode: bankCode,
    beforeAccountEnding: accountEnding,
    beforeBeneficiaryName: beneficiaryName,
  }
}

// The caller has checked that the actor may do this, and locked the business.
export async function eraseSettlementAccount(
  tx: Tx,
  context: Pick<ServiceContext, 'clock' | 'ids' | 'secrets' | 'onAct'>,
  actor: Actor,
  stored: StoredSettlementAccount,
): Promise<void> {
  await deleteSettlementAccount(tx, actor, stored.id)
  const masked = maskStored(context, stored)
  await recordAct(tx, context, actor, {
    action: 'settlement_account.remove',
    objectKind: 'business',
    objectId: actor.businessId,
    detail: { ...masked },
  })
  const by = await nameActor(tx, actor)
  await notify(tx, context, actor, removedAccountNotice(stored.id, masked, by))
}

function maskStored({ secrets }: Keys, stored: StoredSettlementAccount): MaskedAccount {
  return maskAccount(openAccount(secrets, stored), stored)
}
