// Moves money from the wallet back to the available balance. It stays with the same business, so it
// needs no approval and no call to the provider.
import { z } from 'zod'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { brokenRule } from '../../kernel/basics/fault.ts'
import { lockCreditBalance, post } from '../../kernel/ledger/ledger.ts'
import { posting } from '../../kernel/ledger/posting.ts'
import { adminRoles } from '../../kernel/operations/permission.ts'
import { currencyCode, minorAmount } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { ledgerAccounts } from '../ledger-accounts.ts'

export type WalletWithdrawal = {
  readonly id: string
  readonly currency: string
  readonly amountMinor: bigint
}

export const withdrawFromWallet = defineOperation({
  name: 'withdraw-from-wallet',
  summary: 'Move money from the wallet back to the available balance',
  kind: 'write',
  input: z.strictObject({ currency: currencyCode(), amountMinor: minorAmount() }),
  scopes: [],
  roles: adminRoles,
  async run(context, actor, { currency, amountMinor }): Promise<WalletWithdrawal> {
    const { merchantWallet, merchantAvailable } = ledgerAccounts
    const id = context.ids.uuid()
    const movement = posting({
      kind: 'wallet.returned',
      sourceId: id,
      lines: [
        { account: merchantWallet, currency, amountMinor },
        { account: merchantAvailable, currency, amountMinor: -amountMinor },
      ],
    })
    await context.database.transaction(async (tx) => {
      const walletMinor = await lockCreditBalance(tx, actor, { account: merchantWallet, currency })
      if (walletMinor < amountMinor) throw brokenRule('The wallet does not hold as much.')
      await post(tx, context, actor, movement)
      await recordAct(tx, context, actor, {
        action: 'wallet.return',
        objectKind: 'wallet',
        objectId: id,
        detail: { currency, amountMinor: amountMinor.toString() },
      })
    })
    return { id, currency, amountMinor }
  },
})
