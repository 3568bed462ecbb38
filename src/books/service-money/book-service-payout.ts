// A payout of the service arrived at the bank, or did not arrive after all.
import { postPayout } from '../payments/post-payout.ts'
import { listBankAccounts } from './bank-account-store.ts'
import type { Booked, BookingStep } from './movement-step.ts'
import { baseValueOf, postUnassigned, reverseUnreversed } from './post-held.ts'

export async function bookServicePayout(step: BookingStep): Promise<Booked> {
  const { tx, context, actor, organisation, settings, movement, day } = step
  const { currency, heldMinor } = movement
  if ((await baseValueOf(step, heldMinor)) === 0n) {
    await postUnassigned(step, 'Payout of the payment service')
    return { paymentId: null }
  }
  // If there is exactly one bank account in the currency, such payouts go there.
  const isForeign = currency !== organisation.baseCurrency
  const [own, another] = isForeign ? await listBankAccounts(tx, actor, currency) : []
  await postPayout(tx, context, actor, {
    id: movement.objectId,
    date: day,
    currency,
    amountMinor: -heldMinor,
    accountId: own && !another ? own : settings.payoutAccountId,
  })
  return { paymentId: null }
}

export async function reverseServicePayout(step: BookingStep): Promise<Booked> {
  const description = 'Payout reversed'
  const reversed = await reverseUnreversed(step, description)
  if (reversed === 0) await postUnassigned(step, description)
  return { paymentId: null }
}
