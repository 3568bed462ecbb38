// Money that the service has paid out came to the bank, or did not arrive after all.
import { bookPayout } from '../payments/book-payout.ts'
import { listBankAccounts } from './bank-account-store.ts'
import type { BookingStep } from './movement-step.ts'
import { postUnassigned, reverseStanding } from './post-held.ts'

export async function bookServicePayout(step: BookingStep): Promise<null> {
  const { tx, context, actor, organisation, settings, movement, day } = step
  const { currency, heldMinor } = movement
  // A bank account that is kept in the currency is where such payouts go, when there is one only.
  const isForeign = currency !== organisation.baseCurrency
  const [own, another] = isForeign ? await listBankAccounts(tx, actor, currency) : []
  await bookPayout(context, actor, {
    id: movement.objectId,
    date: day,
    currency,
    amountMinor: -heldMinor,
    accountId: own && !another ? own : settings.payoutAccountId,
  })
  return null
}

export async function reverseServicePayout(step: BookingStep): Promise<null> {
  const description = 'Payout that did not arrive'
  const reversed = await reverseStanding(step, description)
  if (reversed === 0) await postUnassigned(step, description)
  return null
}
