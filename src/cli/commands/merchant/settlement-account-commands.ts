// Where the payouts of a business go. Whoever says so gives their password and the code of their
// second factor: the terminal proves nobody's identity.
import { runOperation } from '../../../kernel/operations/run-operation.ts'
import { setSettlementAccount } from '../../../merchant/business/set-settlement-account.ts'
import { businessUsage, type Command, print, requiredOption } from '../../core/command.ts'
import { findMember } from './approval-commands.ts'

export const setPayoutDestination: Command = {
  name: 'settlement-account set',
  summary: 'Set the bank account that the payouts of a business go to',
  usage: [
    businessUsage,
    '--email ADDRESS        an owner or admin; the password and the code are asked for',
    '--bank CODE            the bank, by its code at the payment provider',
    '--account NUMBER       the account',
    '--name TEXT            whom it belongs to',
  ],
  options: {
    business: { type: 'string' },
    email: { type: 'string' },
    bank: { type: 'string' },
    account: { type: 'string' },
    name: { type: 'string' },
  },
  async run(world, options) {
    const { context } = world
    const account = {
      bankCode: requiredOption(options, 'bank'),
      accountNumber: requiredOption(options, 'account'),
      beneficiaryName: requiredOption(options, 'name'),
    }
    const actor = await findMember(world, options)
    await runOperation(setSettlementAccount, context, actor, account)
    print(
      'Payouts go to this account from now on. What waits for approval has to be asked for again.',
    )
    return 0
  },
}
