// Settlements as text, a piece for each page, in either format. JSON and CSV have the same columns
// in the same order, and the sums per currency at the end. All values are ids, codes, digits and
// times, so none needs quoting in CSV.
import { csvLine, csvLineEnd } from '../../kernel/http/csv.ts'
import { currencyOf } from '../../kernel/money/currency.ts'
import { majorText } from '../../kernel/money/minor-units.ts'
import { netSettledMinor, type Settlement, settlementColumns } from './settlement.ts'
import { addToTotals, csvTotals, jsonTotals, type Totals } from './settlement-totals.ts'

export const csvHeader = csvLine(settlementColumns)

export async function* writeSettlementsCsv(
  pages: AsyncIterable<Settlement[]>,
): AsyncGenerator<string> {
  const totals: Totals = new Map()
  yield csvHeader
  for await (const page of pages) {
    for (const settlement of page) addToTotals(totals, settlement)
    yield page.map(csvRow).join('')
  }
  yield csvTotals(totals)
}

export async function* writeSettlementsJson(
  days: { readonly from: string; readonly to: string },
  pages: AsyncIterable<Settlement[]>,
): AsyncGenerator<string> {
  const totals: Totals = new Map()
  let before = `{"from":"${days.from}","to":"${days.to}","data":[`
  for await (const page of pages) {
    for (const settlement of page) addToTotals(totals, settlement)
    yield before + page.map(jsonRow).join(',')
    before = ','
  }
  yield `${totals.size === 0 ? before : ''}],"summary":${jsonTotals(totals)}}`
}

// Both rows are written out, because a loop over the columns takes twice as long.
function jsonRow(settlement: Settlement): string {
  const { grossMinor, feeMinor, netMinor, refundedMinor, splitMinor } = settlement
  const { decimals } = currencyOf(settlement.currency)
  const creditedMinor = netSettledMinor(settlement)
  return (
    `{"payment_id":"${settlement.id}","currency":"${settlement.currency}",` +
    `"gross":${majorText(grossMinor, decimals)},"fee":${majorText(feeMinor, decimals)},` +
    `"net":${majorText(netMinor, decimals)},"refunded":${majorText(refundedMinor, decimals)},` +
    `"net_settled":${majorText(creditedMinor, decimals)},` +
    `"split_recipient_id":${quoted(settlement.splitRecipientId)},` +
    `"split_amount":${splitMinor === null ? null : majorText(splitMinor, decimals)},` +
    `"passed_over_recipient_id":${quoted(settlement.passedOverRecipientId)},` +
    `"settled_at":"${toMilliseconds(settlement.settledAtUtc)}",` +
    `"gross_minor":${grossMinor},"fee_minor":${feeMinor},"net_minor":${netMinor},` +
    `"refunded_minor":${refundedMinor},"net_settled_minor":${creditedMinor},` +
    `"split_amount_minor":${splitMinor}}`
  )
}

function csvRow(settlement: Settlement): string {
  const { grossMinor, feeMinor, netMinor, refundedMinor, splitMinor } = settlement
  const { decimals } = currencyOf(settlement.currency)
  const creditedMinor = netSettledMinor(settlement)
  return (
    `${settlement.id},${settlement.currency},` +
    `${majorText(grossMinor, decimals)},${majorText(feeMinor, decimals)},` +
    `${majorText(netMinor, decimals)},${majorText(refundedMinor, decimals)},` +
    `${majorText(creditedMinor, decimals)},` +
    `${settlement.splitRecipientId ?? ''},` +
    `${splitMinor === null ? '' : majorText(splitMinor, decimals)},` +
    `${settlement.passedOverRecipientId ?? ''},` +
    `${toMilliseconds(settlement.settledAtUtc)},` +
    `${grossMinor},${feeMinor},${netMinor},${refundedMinor},${creditedMinor},` +
    `${splitMinor ?? ''}${csvLineEnd}`
  )
}

function quoted(id: string | null): string {
  return id === null ? 'null' : `"${id}"`
}

// `2026-01-31 10:00:00.123456` as `2026-01-31T10:00:00.123Z`. PostgreSQL writes only as many
// decimals as the moment has.
function toMilliseconds(text: string): string {
  const seconds = `${text.slice(0, 10)}T${text.slice(11, 19)}`
  return `${seconds}.${text.slice(20, 23).padEnd(3, '0')}Z`
}
