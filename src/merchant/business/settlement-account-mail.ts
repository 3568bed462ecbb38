// The mails to owners about the accounts that payouts go to: when another one is requested, and
// when it is in force. They name the last digits only.
import { mailOwners } from '../../kernel/access/mail-owners.ts'
import { nameActor } from '../../kernel/access/people-news.ts'
import type { Actor } from '../../kernel/auth/actor.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { ServiceContext } from '../../kernel/operations/service-context.ts'
import type { MaskedAccount } from './settlement-account.ts'

type MailContext = Pick<ServiceContext, 'clock' | 'ids' | 'publicUrl'>

export async function mailRequestedAccount(
  tx: Tx,
  context: MailContext,
  actor: Actor,
  account: MaskedAccount,
  approvalId: string,
): Promise<void> {
  const by = await nameActor(tx, actor)
  await mailOwners(tx, context, actor, {
    subject: 'Please decide: another bank account for payouts',
    lines: (businessName) => [
      `Payouts of ${businessName} are to go to another bank account:`,
      '',
      ...accountLines(account),
      '',
      `Asked for by ${by}. Payouts go to the old account until another person approves it.`,
      'If you did not expect it, reject it:',
      '',
      `  ${context.publicUrl}/b/${actor.businessId}/approvals/${approvalId}`,
    ],
  })
}

export async function mailChangedAccount(
  tx: Tx,
  context: MailContext,
  actor: Actor,
  account: MaskedAccount,
): Promise<void> {
  const by = await nameActor(tx, actor)
  await mailOwners(tx, context, actor, {
    subject: 'The bank account for payouts has changed',
    lines: (businessName) => [
      `Payouts of ${businessName} go to this bank account now:`,
      '',
      ...accountLines(account),
      '',
      `${actor.kind === 'person' ? 'Saved or approved' : 'Saved'} by ${by}.`,
      'If you did not expect this, talk to the other owners and your operator now:',
      '',
      `  ${context.publicUrl}/b/${actor.businessId}/payouts`,
    ],
  })
}

function accountLines({ currency, bankCode, accountEnding, ...names }: MaskedAccount): string[] {
  const { beneficiaryName, holderName } = names
  return [
    `  Account   ····${accountEnding}, bank ${bankCode}`,
    `  Holder    ${beneficiaryName}`,
    ...(holderName === null ? [] : [`  The bank has the account under the name ${holderName}.`]),
    `  For       ${currency === null ? 'all currencies without their own account' : currency}`,
  ]
}
