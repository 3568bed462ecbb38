// The lines of a document or quote, its totals, and its taxes by component.
import type { Account } from '../../books/accounts/account.ts'
import type { DocumentLine } from '../../books/documents/document.ts'
import { taxSummary } from '../../books/documents/typed-price.ts'
import type { TaxCode } from '../../books/taxes/tax-code.ts'
import { formatNumber } from '../components/locale.ts'
import { formatPrice, Money } from '../components/money.tsx'
import { type Column, Table } from '../components/table.tsx'

export type PricedPaper = {
  readonly currency: string
  readonly subtotalMinor: bigint
  readonly taxTotalMinor: bigint
  readonly totalMinor: bigint
}

type LinesProps = {
  story: {
    readonly document: PricedPaper
    readonly lines: readonly DocumentLine[]
    readonly accounts: ReadonlyMap<string, Account>
    readonly taxCodes: ReadonlyMap<string, TaxCode>
  }
}

export function LineTable({ story: { document, lines, accounts, taxCodes } }: LinesProps) {
  const { currency } = document
  const money = (minor: bigint) => <Money minor={minor} currency={currency} />
  const hasDiscount = lines.some(({ discountPct }) => discountPct !== '0')
  const columns: Column<DocumentLine>[] = [
    { label: 'Description', cell: (line) => <span class="pre-line">{line.description}</span> },
    {
      label: 'Account',
      cell: ({ accountId }) => {
        const account = accountId === null ? undefined : accounts.get(accountId)
        return account ? `${account.code} ${account.name}` : 'None yet'
      },
    },
    { label: 'Quantity', isNumber: true, cell: ({ quantity }) => formatNumber(quantity) },
    { label: 'Price', isNumber: true, cell: ({ unitPrice }) => formatPrice(unitPrice, currency) },
    ...(hasDiscount
      ? [
          {
            label: 'Discount',
            isNumber: true,
            cell: ({ discountPct }: DocumentLine) =>
              discountPct === '0' ? '' : `${discountPct} %`,
          },
        ]
      : []),
    {
      label: 'Tax',
      cell: ({ taxCodeId }) => (taxCodeId === null ? '' : (taxCodes.get(taxCodeId)?.name ?? '')),
    },
    { label: 'Net', isNumber: true, cell: ({ netMinor }) => money(netMinor) },
  ]
  return <Table caption="Lines" columns={columns} rows={lines} keyOf={({ id }) => id} />
}

type TotalsProps = { document: PricedPaper; lines: readonly DocumentLine[] }

export function TotalsTable({ document, lines }: TotalsProps) {
  const { currency, subtotalMinor, taxTotalMinor, totalMinor } = document
  const row = (label: string, minor: bigint, isTotal = false) => (
    <div class={isTotal ? 'is-total' : ''} key={label}>
      <dt>{label}</dt>
      <dd>
        <Money minor={minor} currency={currency} />
      </dd>
    </div>
  )
  const taxes = taxSummary(lines)
  return (
    <dl class="totals">
      {taxTotalMinor !== 0n || taxes.length > 0 ? row('Net', subtotalMinor) : null}
      {taxes.map(({ label, taxMinor }) => row(label, taxMinor))}
      {row('Total', totalMinor, true)}
    </dl>
  )
}
