// Moves money from the wallet inside the service back to the balance that can be paid out. It stays
// with the same business, so it needs no approval and no call to the provider.
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { invalidField } from '../../kernel/basics/fault.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { lockCreditBalance, post } from '../../kernel/ledger/ledger.ts'
import { posting } from '../../kernel/ledger/posting.ts'
import { ledgerAccounts } from '../ledger-accounts.ts'

// Returns the id of the movement.
export async function withdrawFromWallet(
  tx: Tx,
  context: Context,
  actor: Actor,
  { currency, amountMinor }: { readonly currency: string; readonly amountMinor: bigint },
): Promise<string> {
  if (amountMinor <= 0n) throw invalidField('amount', 'Must be more than zero.')
  const { merchantWallet, merchantAvailable } = ledgerAccounts
  const walletMinor = await lockCreditBalance(tx, actor, { account: merchantWallet, currency })
  if (walletMinor < amountMinor) {
    throw invalidField('amount', `The ${currency} wallet does not hold as much.`)
  }
  const sourceId = context.ids.uuid()
  await post(
    tx,
    context,
    actor,
    posting({
      kind: 'wallet.returned',
      sourceId,
      lines: [
        { account: merchantWallet, currency, amountMinor },
        { account: merchantAvailable, currency, amountMinor: -amountMinor },
      ],
    }),
  )
  await recordAct(tx, context, actor, {
    action: 'wallet.return',
    objectKind: 'wallet',
    objectId: sourceId,
    detail: { currency, amountMinor: amountMinor.toString() },
  })
  return sourceId
}
