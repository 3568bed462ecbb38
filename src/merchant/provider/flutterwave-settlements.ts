// The provider's settlements with sub-accounts. A split that it silently dropped shows only here:
// the charge itself succeeds normally.
import { zeroDecimal } from '../../kernel/money/decimal.ts'
import {
  hasMore,
  read,
  readAll,
  readReferenced,
  unreadable,
  unsettled,
} from './flutterwave-answers.ts'
import type { FlutterwaveClient } from './flutterwave-client.ts'
import { amountOf, isFields, textOf } from './flutterwave-fields.ts'
import type { Outcome, SettledSplit } from './provider.ts'

// Only ends a provider that never says "last page".
const pagesMax = 1000

// Of every charge in the settlements of these days.
export async function listSettledSplits(
  client: FlutterwaveClient,
  days: { readonly from: string; readonly to: string },
): Promise<Outcome<SettledSplit[]>> {
  const splits: SettledSplit[] = []
  for (let page = 1; page <= pagesMax; page += 1) {
    const query = { ...days, page: String(page) }
    const answer = await client({ method: 'GET', path: '/settlements', query })
    const listed = read(answer, (envelope) => {
      const ids = readAll(envelope.data, (entry) =>
        isFields(entry) ? textOf(entry, 'id') : undefined,
      )
      return ids && { ids, isLast: !hasMore(envelope, page, ids.length) }
    })
    if (listed.kind !== 'success') return unsettled(listed)
    for (const id of listed.value.ids) {
      const settled = await findSettlement(client, id)
      if (settled.kind !== 'success') return settled
      splits.push(...settled.value)
    }
    if (listed.value.isLast) return { kind: 'success', value: splits }
  }
  return unreadable(`more than ${pagesMax} pages of settlements`)
}

async function findSettlement(
  client: FlutterwaveClient,
  id: string,
): Promise<Exclude<Outcome<SettledSplit[]>, { kind: 'refused' }>> {
  const answer = await client({ method: 'GET', path: `/settlements/${encodeURIComponent(id)}` })
  const settled = read(answer, ({ data }) =>
    isFields(data) ? readReferenced(data.transactions, readSettledSplit) : undefined,
  )
  return settled.kind === 'success' ? settled : unsettled(settled)
}

function readSettledSplit(value: unknown): SettledSplit | undefined {
  if (!isFields(value)) return undefined
  const reference = textOf(value, 'tx_ref')
  const currency = textOf(value, 'currency')
  if (!reference || !currency) return undefined
  return { reference, currency, amount: amountOf(value, 'subaccount_settlement') ?? zeroDecimal }
}
