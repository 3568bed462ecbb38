// Charges a saved card again, without the payer. The charge can be looked up by its reference, and
// the provider refuses a second charge with the same one. So after a lost answer a refusal says
// nothing, and the lookup decides.
import { majorUnits, read, unreadable } from './flutterwave-answers.ts'
import type { FlutterwaveClient } from './flutterwave-client.ts'
import { readCharge } from './flutterwave-facts.ts'
import type { ChargeFact, Outcome, SavedCardInstruction } from './provider.ts'

export async function chargeSavedCard(
  client: FlutterwaveClient,
  instruction: SavedCardInstruction,
): Promise<Outcome<ChargeFact>> {
  const { reference, currency } = instruction
  const body = {
    token: instruction.token,
    email: instruction.payerEmail,
    country: instruction.country,
    currency,
    amount: majorUnits(instruction.amountMinor, currency),
    tx_ref: reference,
    narration: instruction.note,
  }
  const hidden = [instruction.token]
  const answer = await client({ method: 'POST', path: '/tokenized-charges', body, hidden })
  const charged = read(answer, ({ data }) => readCharge(data))
  if (charged.kind !== 'success' || charged.value.reference === reference) return charged
  return unreadable('a charge of another reference')
}
