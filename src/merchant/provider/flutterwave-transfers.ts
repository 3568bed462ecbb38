// Transfers to a bank account. The reference makes sending again harmless: the provider refuses a
// second transfer with the same one. So a refusal after a lost answer says nothing, and the lookup
// decides.
import { majorUnits, read, readAll, unreadable, unsettled } from './flutterwave-answers.ts'
import type { FlutterwaveClient } from './flutterwave-client.ts'
import { readTransfer } from './flutterwave-facts.ts'
import type { Outcome, TransferFact, TransferInstruction } from './provider.ts'

export async function createTransfer(
  client: FlutterwaveClient,
  instruction: TransferInstruction,
): Promise<Outcome<TransferFact>> {
  const { reference, currency } = instruction
  const body = {
    account_bank: instruction.bankCode,
    account_number: instruction.accountNumber,
    amount: majorUnits(instruction.amountMinor, currency),
    currency,
    // From the wallet of the same currency, without an exchange.
    debit_currency: currency,
    beneficiary_name: instruction.beneficiaryName,
    narration: instruction.note,
    reference,
  }
  const hidden = [instruction.accountNumber]
  const answer = await client({ method: 'POST', path: '/transfers', body, hidden })
  const sent = read(answer, ({ data }) => readTransfer(data))
  if (sent.kind !== 'success' || sent.value.reference === reference) return sent
  return unreadable('a transfer of another reference')
}

// Money is sent again if this finds nothing, so "none" must be certain: a list with other
// references was not filtered, and ours may be on another page.
export async function findTransfer(
  client: FlutterwaveClient,
  reference: string,
): Promise<Outcome<TransferFact | null>> {
  const answer = await client({ method: 'GET', path: '/transfers', query: { reference } })
  const listed = read(answer, ({ data }) => readAll(data, readTransfer))
  if (listed.kind !== 'success') return unsettled(listed)
  const ours = listed.value.filter((transfer) => transfer.reference === reference)
  if (ours.length === 0 && listed.value.length > 0) return unreadable('transfers of others')
  const telling = ['successful', 'pending', 'failed'] as const
  const found = telling.flatMap(
    (status) => ours.find((transfer) => transfer.status === status) ?? [],
  )
  return { kind: 'success', value: found[0] ?? null }
}
