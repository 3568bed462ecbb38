// A new settlement account that waits for a second person: it is kept, sealed, beside its approval.
import type { Actor } from '../../kernel/auth/actor.ts'
import type { Secrets } from '../../kernel/auth/secrets.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { ServiceContext } from '../../kernel/operations/service-context.ts'
import type { ApprovalRequest } from '../approvals/approval.ts'
import { requestApproval } from '../approvals/request-approval.ts'
import { fingerprint } from '../payouts/payout-destination.ts'
import {
  type AccountPurpose,
  maskAccount,
  openAccount,
  type RequestedAccount,
  type SettlementAccount,
  sealedRequestRow,
} from './settlement-account.ts'
import { findReplacedAccount, insertAccountRequest } from './settlement-account-store.ts'

const saltBytes = 16

// Returns the id of the approval.
export async function requestSettlementAccount(
  tx: Tx,
  context: ServiceContext,
  actor: Actor,
  account: SettlementAccount,
  purpose: AccountPurpose,
): Promise<string> {
  const salt = context.ids.randomBytes(saltBytes).toString('hex')
  const approvalId = await requestApproval(tx, context, actor, {
    operation: 'settlement_account',
    objectId: actor.businessId,
    request: await accountRequest(tx, context, actor, { ...account, ...purpose, salt }),
  })
  const { accountNumber, ...rest } = account
  const accountSealed = context.secrets.seal(
    `${salt}:${accountNumber}`,
    sealedRequestRow(approvalId),
  )
  const requested = { id: approvalId, accountSealed, ...rest, ...purpose }
  await insertAccountRequest(tx, actor, requested, context.clock.now())
  return approvalId
}

export type OpenedRequest = SettlementAccount & AccountPurpose & { readonly salt: string }

export function openRequest(secrets: Secrets, requested: RequestedAccount): OpenedRequest {
  const { id, accountSealed, bankCode, beneficiaryName, currency, holderName } = requested
  const [salt = '', accountNumber = ''] = secrets
    .open(accountSealed, sealedRequestRow(id))
    .toString('utf8')
    .split(':')
  return { bankCode, accountNumber, beneficiaryName, currency, holderName, salt }
}

// What an approver agrees to: this account instead of the one on file. The fingerprints are of the
// whole numbers, which people don't see. If the account on file has changed, so has the request.
export async function accountRequest(
  tx: Tx,
  { secrets }: Pick<ServiceContext, 'secrets'>,
  actor: Actor,
  wanted: OpenedRequest,
): Promise<ApprovalRequest> {
  const { currency, holderName, salt } = wanted
  const masked = maskAccount(wanted, wanted)
  const stored = await findReplacedAccount(tx, actor, currency)
  const before = stored && openAccount(secrets, stored)
  const beforeMasked = before && maskAccount(before, stored)
  return {
    currency,
    bankCode: masked.bankCode,
    accountEnding: masked.accountEnding,
    beneficiaryName: masked.beneficiaryName,
    holderName,
    destination: fingerprint(wanted, salt),
    beforeBankCode: beforeMasked?.bankCode ?? null,
    beforeAccountEnding: beforeMasked?.accountEnding ?? null,
    beforeBeneficiaryName: beforeMasked?.beneficiaryName ?? null,
    beforeDestination: before ? fingerprint(before, salt) : null,
  }
}
