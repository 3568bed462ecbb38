// The tax report, computed from the lines that name a tax code. Tax on sales is positive, and so is
// tax on purchases; what is payable is the difference. Every account of tax is then explained: what
// the report says of it, and what else moved it, such as payments to the tax office. Pure.
import { assertDefined } from '../../kernel/basics/assert.ts'
import { allocate } from '../../kernel/money/allocate.ts'
import { digitsAt } from '../../kernel/money/decimal.ts'
import { convertMinor } from '../payments/open-item.ts'
import { effectiveRates } from '../taxes/effective-rates.ts'
import { componentAccounts, type TaxCode } from '../taxes/tax-code.ts'
import { type AccountBalances, balanceOn } from './account-balances.ts'
import { dayBefore, type Period } from './report-days.ts'
import { presentFigures, sum } from './report-schema.ts'
import { type ComponentSum, type TaxSection, type TaxSum, taxSections } from './tax-facts.ts'

type Facts = {
  readonly period: Period
  readonly currency: string
  readonly codes: readonly TaxCode[]
  readonly sums: readonly TaxSum[]
  readonly components: readonly ComponentSum[]
  readonly accounts: readonly AccountBalances[]
}

export function taxReport(facts: Facts) {
  const { currency } = facts
  const rows = taxSections.map((section) => ({ section, codes: rowsOf(facts, section) }))
  const total = (section: TaxSection, of: 'netMinor' | 'taxMinor') =>
    sum(rows.find((one) => one.section === section)?.codes.map((row) => row[of]) ?? [])
  const [collected, paid, manual] = [
    total('sales', 'taxMinor'),
    total('purchases', 'taxMinor'),
    total('manual', 'taxMinor'),
  ]
  return {
    sections: rows.map(({ section, codes }) => ({
      key: section,
      ...figures({ net: total(section, 'netMinor'), tax: total(section, 'taxMinor') }, currency),
      codes: codes.map((row) => presentRow(row, currency)),
    })),
    totals: figures({ collected, paid, manual, payable: collected - paid + manual }, currency),
    accounts: accountRows(facts),
  }
}

// Whether a line of the code is tax, rather than what is taxed.
export function isTaxLine(
  { section, accountId, hasText }: Pick<TaxSum, 'section' | 'accountId' | 'hasText'>,
  code: Pick<TaxCode, 'components' | 'accountId'>,
): boolean {
  if (section !== 'manual') return !hasText
  return [code.accountId, ...componentAccounts(code)].includes(accountId)
}

// Income and the tax on it are credits; what is bought and its tax are debits.
export function signOf(section: TaxSection): bigint {
  return section === 'purchases' ? 1n : -1n
}

type Row = {
  readonly code: TaxCode
  readonly isWriteOff: boolean
  readonly netMinor: bigint
  readonly taxMinor: bigint
  readonly componentsMinor: readonly bigint[]
}

function rowsOf({ codes, sums, components, currency }: Facts, section: TaxSection): Row[] {
  const sign = signOf(section)
  return codes.flatMap((code) =>
    [false, true].flatMap((isWriteOff): Row[] => {
      const own = sums.filter(
        (one) =>
          one.section === section && one.taxCodeId === code.id && one.isWriteOff === isWriteOff,
      )
      if (own.length === 0) return []
      const taxes = own.filter((one) => isTaxLine(one, code))
      const nets = own.filter((one) => !taxes.includes(one))
      const taxMinor = sign * sum(taxes.map(({ baseMinor }) => baseMinor))
      const stated = components.filter(
        (one) => one.section === section && one.taxCodeId === code.id && !isWriteOff,
      )
      const componentsMinor =
        stated.length > 0
          ? statedComponents(code, stated, taxMinor, currency)
          : sharedComponents(code, taxes).map((minor) => sign * minor)
      const netMinor = sign * sum(nets.map(({ baseMinor }) => baseMinor))
      return [{ code, isWriteOff, netMinor, taxMinor, componentsMinor }]
    }),
  )
}

// As on the documents. Foreign amounts are rounded together here and one by one in the journal; the
// difference belongs to the largest component.
function statedComponents(
  { components }: TaxCode,
  stated: readonly ComponentSum[],
  taxMinor: bigint,
  currency: string,
): bigint[] {
  const parts = components.map((_, index) =>
    sum(
      stated
        .filter((one) => one.index === index)
        .map((one) => convertMinor(one.amountMinor, one.currency, one.fxRate, currency)),
    ),
  )
  const largest = parts.reduce(
    (best, part, index) => (size(part) > size(parts[best] ?? 0n) ? index : best),
    0,
  )
  const rest = taxMinor - sum(parts)
  return parts.map((part, index) => (index === largest ? part + rest : part))
}

// Write-offs and manual journals name no components: those of the account share by their rates.
function sharedComponents(code: TaxCode, taxes: readonly TaxSum[]): bigint[] {
  const accounts = componentAccounts(code)
  const places = 12
  const rates = effectiveRates(code.components).map((rate) => size(digitsAt(rate, places)))
  const parts = code.components.map(() => 0n)
  for (const { accountId, baseMinor } of taxes) {
    const isOfAccount = accounts.includes(accountId)
    const weights = rates.map((rate, index) =>
      isOfAccount && accounts[index] !== accountId ? 0n : rate,
    )
    const isFree = weights.every((weight) => weight === 0n)
    const shares = allocate(baseMinor, isFree ? weights.map(() => 1n) : weights)
    for (const [index, share] of shares.entries()) parts[index] = (parts[index] ?? 0n) + share
  }
  return parts
}

function accountRows({ period, currency, codes, sums, accounts }: Facts) {
  const byId = new Map(codes.map((code) => [code.id, code]))
  const taxes = sums.filter((one) =>
    isTaxLine(one, assertDefined(byId.get(one.taxCodeId), 'a line of an unknown tax code')),
  )
  return accounts.flatMap((account) => {
    const own = taxes.filter(({ accountId }) => accountId === account.id)
    const opening = -balanceOn(account, dayBefore(period.from))
    const closing = -balanceOn(account, period.to)
    const reported = -sum(own.map(({ baseMinor }) => baseMinor))
    const other = closing - opening - reported
    const isShown = own.length > 0 || account.subtype === 'tax'
    if (!isShown || [opening, closing, reported, other].every((minor) => minor === 0n)) return []
    const { id: account_id, code, name } = account
    return [{ account_id, code, name, ...figures({ opening, reported, other, closing }, currency) }]
  })
}

function presentRow({ code, isWriteOff, netMinor, taxMinor, componentsMinor }: Row, base: string) {
  return {
    tax_code_id: code.id,
    name: code.name,
    is_write_off: isWriteOff,
    ...figures({ net: netMinor, tax: taxMinor }, base),
    components: code.components.map(({ name, rate }, index) => ({
      name,
      rate,
      ...figures({ tax: componentsMinor[index] ?? 0n }, base),
    })),
  }
}

function figures<Name extends string>(minor: Record<Name, bigint>, currency: string) {
  return presentFigures([minor], currency)
}

function size(minor: bigint): bigint {
  return minor < 0n ? -minor : minor
}
