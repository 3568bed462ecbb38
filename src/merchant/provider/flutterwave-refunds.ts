// Refunds at the provider. It accepts no reference for them, so callers must list before and after.
import {
  countOf,
  hasMore,
  majorUnits,
  read,
  readAll,
  unreadable,
  unsettled,
} from './flutterwave-answers.ts'
import type { FlutterwaveClient } from './flutterwave-client.ts'
import { readCharge, readRefund } from './flutterwave-facts.ts'
import type { Outcome, RefundFact } from './provider.ts'

// A charge has a handful of refunds. The limit only ends a provider that never says "last page".
const pagesMax = 100

export async function createRefund(
  client: FlutterwaveClient,
  instruction: {
    readonly transactionId: string
    readonly amountMinor: bigint
    readonly currency: string
    readonly note: string
  },
): Promise<Outcome<RefundFact>> {
  const { transactionId, amountMinor, currency, note } = instruction
  const path = `/transactions/${encodeURIComponent(transactionId)}/refund`
  const body = { amount: majorUnits(amountMinor, currency), comments: note }
  return read(await client({ method: 'POST', path, body }), ({ data }) => readRefund(data))
}

export async function listRefunds(
  client: FlutterwaveClient,
  transactionId: string,
): Promise<Outcome<RefundFact[]>> {
  const refunds: RefundFact[] = []
  for (let page = 1; page <= pagesMax; page += 1) {
    const query = { id: transactionId, page: String(page) }
    const answer = await client({ method: 'GET', path: '/refunds', query })
    const listed = read(answer, (envelope) => {
      const found = readAll(envelope.data, readRefund)
      return found && { found, isLast: !hasMore(envelope, page, found.length) }
    })
    if (listed.kind !== 'success') return unsettled(listed)
    refunds.push(...listed.value.found.filter((refund) => refund.transactionId === transactionId))
    if (listed.value.isLast) return { kind: 'success', value: refunds }
  }
  return unreadable(`more than ${pagesMax} pages of refunds`)
}

// For finding refunds that are not ours: an invalid entry must not hide the others.
export async function listRefundsBetween(
  client: FlutterwaveClient,
  days: { readonly from: string; readonly to: string },
  page: number,
): Promise<Outcome<{ items: RefundFact[]; hasMore: boolean }>> {
  const query = { ...days, page: String(page) }
  const answer = await client({ method: 'GET', path: '/refunds', query })
  return read(answer, (envelope) => {
    const { data } = envelope
    if (!Array.isArray(data)) return data ? undefined : { items: [], hasMore: false }
    const items = data.flatMap((entry) => readRefund(entry) ?? [])
    return { items, hasMore: hasMore(envelope, page, countOf(data)) }
  })
}

export async function findReference(
  client: FlutterwaveClient,
  transactionId: string,
): Promise<Outcome<string | null>> {
  const path = `/transactions/${encodeURIComponent(transactionId)}/verify`
  const answer = await client({ method: 'GET', path })
  const found = read(answer, ({ data }) => readCharge(data))
  if (found.kind === 'unknown') return found
  // A transaction that it does not know, or without a reference, is not ours.
  if (found.kind === 'refused') return { kind: 'success', value: null }
  return { kind: 'success', value: found.value.reference }
}
