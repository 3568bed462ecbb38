import { countOf, hasMore, read, readReferenced } from './flutterwave-answers.ts'
import type { FlutterwaveClient } from './flutterwave-client.ts'
import { amountOf, isFields, momentOf, textOf } from './flutterwave-fields.ts'
import type { ChargebackFact, Outcome } from './provider.ts'

export async function listChargebacks(
  client: FlutterwaveClient,
  days: { readonly from: string; readonly to: string },
  page: number,
): Promise<Outcome<{ items: ChargebackFact[]; hasMore: boolean }>> {
  const query = { ...days, page: String(page) }
  const answer = await client({ method: 'GET', path: '/chargebacks', query })
  return read(answer, (envelope) => {
    const items = readReferenced(envelope.data, readChargeback)
    return items && { items, hasMore: hasMore(envelope, page, countOf(envelope.data)) }
  })
}

const reasonMax = 500

// A chargeback is open until it is won or lost, whatever else the provider calls it. The merchant
// accepts it, which loses it, or declines it.
function readChargeback(value: unknown): ChargebackFact | undefined {
  if (!isFields(value)) return undefined
  const chargebackId = textOf(value, 'id')
  const reference = textOf(value, 'tx_ref')
  const amount = amountOf(value, 'amount')
  const currency = textOf(value, 'currency')
  const state = textOf(value, 'status')?.toLowerCase()
  if (!chargebackId || !reference || !amount || !currency || !state) return undefined
  const isLost = state === 'lost' || state === 'accepted'
  const status = state === 'won' ? 'won' : isLost ? 'lost' : 'open'
  return {
    ...{ chargebackId, reference, status, amount, currency },
    isContested: state === 'declined',
    dueAt: momentOf(value, 'due_date') ?? null,
    reason: textOf(value, 'comment')?.slice(0, reasonMax) ?? null,
  }
}
