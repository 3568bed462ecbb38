// The bank account that payouts go to. The terminal does not prove who is typing, so the person
// enters their password and the code of their second factor.
import { runOperation } from '../../../kernel/operations/run-operation.ts'
import { setSettlementAccount } from '../../../merchant/business/set-settlement-account.ts'
import { businessUsage, type Command, print, requiredOption } from '../../core/command.ts'
import { findMember } from './approval-commands.ts'

export const setPayoutDestination: Command = {
  name: 'settlement-account set',
  summary: 'Set a settlement account, which receives the payouts of a business',
  usage: [
    businessUsage,
    '--email ADDRESS        of an owner or admin; asks for password and code',
    "--bank CODE            the payment provider's code for the bank",
    '--account NUMBER       the account number',
    '--name TEXT            the account holder (default: the name that the bank has)',
    '--currency CODE        for payouts in this currency (default: all without their own account)',
  ],
  options: {
    business: { type: 'string' },
    email: { type: 'string' },
    bank: { type: 'string' },
    account: { type: 'string' },
    name: { type: 'string' },
    currency: { type: 'string' },
  },
  async run(world, options) {
    const { context } = world
    const account = {
      bankCode: requiredOption(options, 'bank'),
      accountNumber: requiredOption(options, 'account'),
      beneficiaryName: typeof options.name === 'string' ? options.name : '',
      currency: typeof options.currency === 'string' ? options.currency : null,
    }
    const actor = await findMember(world, options)
    const { approvalId } = await runOperation(setSettlementAccount, context, actor, account)
    print(
      approvalId === null
        ? 'Saved. Payouts that are waiting for approval must be requested again.'
        : `Another person has to approve it: ${approvalId}. Until then the old account stays.`,
    )
    return 0
  },
}
