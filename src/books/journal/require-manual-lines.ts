import { assertDefined } from '../../kernel/basics/assert.ts'
import { invalidField } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { minorOf, requireBaseRange } from '../amount-input.ts'
import { findContact } from '../contacts/contact-store.ts'
import { requireRate } from '../currencies/require-rate.ts'
import { convertMinor } from '../payments/open-item.ts'
import { findPaymentAccount } from '../payments/payment-account-store.ts'
import { requireTaxCodes } from '../taxes/require-tax-codes.ts'
import type { JournalLine } from './journal-entry.ts'
import type { ManualLine } from './manual-lines.ts'

export type ManualLinesOptions = {
  readonly field: string
  readonly date: string
  readonly baseCurrency: string
  // What to do instead of naming a control account.
  readonly remedy: string
}

export async function requireManualLines(
  tx: Tx,
  tenant: Tenant,
  lines: readonly ManualLine[],
  options: ManualLinesOptions,
): Promise<JournalLine[]> {
  const booked: JournalLine[] = []
  for (const [index, line] of lines.entries()) {
    const refuse = (message: string) => invalidField(options.field, `${index + 1}: ${message}`)
    await requireAccount(tx, tenant, line.accountId, options.remedy, refuse)
    if (line.contactId && !(await findContact(tx, tenant, line.contactId))) {
      throw refuse('No such contact.')
    }
    await requireTaxCodes(tx, tenant, { [options.field]: line.taxCodeId })
    booked.push(await read(tx, tenant, line, options))
  }
  return booked
}

async function requireAccount(
  tx: Tx,
  tenant: Tenant,
  id: string,
  remedy: string,
  refuse: (message: string) => Error,
): Promise<void> {
  const account = await findPaymentAccount(tx, tenant, id)
  if (!account) throw refuse('No such account.')
  if (!account.active) throw refuse('The account is not active.')
  const { subtype, name } = account
  if (subtype === 'receivable' || subtype === 'payable' || subtype === 'expense_claims') {
    throw refuse(`${name} is what documents and payments add up to. ${remedy}`)
  }
  // What is booked there is what the next revaluation compares with.
  if (subtype === 'current_asset' && account.isSystem) {
    throw refuse(`${name} is only written by the revaluation.`)
  }
}

async function read(
  tx: Tx,
  tenant: Tenant,
  line: ManualLine,
  { field, date, baseCurrency }: ManualLinesOptions,
): Promise<JournalLine> {
  const currency = line.currency ?? baseCurrency
  const text = assertDefined(line.debit ?? line.credit, 'a line without an amount')
  const sign = line.debit === undefined ? -1n : 1n
  const amountMinor = minorOf(field, text, currency)
  const base = async () => {
    if (currency === baseCurrency) return amountMinor
    if (line.baseAmount !== undefined) return minorOf(field, line.baseAmount, baseCurrency)
    const rate = line.rate ?? (await requireRate(tx, tenant, baseCurrency, currency, date))
    return convertMinor(amountMinor, currency, rate, baseCurrency)
  }
  const baseMinor = await base()
  requireBaseRange(field, baseMinor, baseCurrency)
  return {
    accountId: line.accountId,
    baseMinor: sign * baseMinor,
    currency,
    amountMinor: sign * amountMinor,
    contactId: line.contactId ?? null,
    openItemId: null,
    taxCodeId: line.taxCodeId ?? null,
    description: line.description || null,
  }
}
