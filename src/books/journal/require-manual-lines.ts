import { assertDefined } from '../../kernel/basics/assert.ts'
import { Fault, invalidField } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { currencyProblem } from '../accounts/control-account.ts'
import { findContact } from '../contacts/contact-store.ts'
import { requireOwnWorth, requireRate } from '../currencies/require-rate.ts'
import { minorOf, requireBaseRange } from '../input/amount-input.ts'
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
  const problems: string[] = []
  for (const [index, line] of lines.entries()) {
    try {
      booked.push(await requireLine(tx, tenant, line, options))
    } catch (error) {
      problems.push(...problemsAt(index, error))
    }
  }
  if (problems.length === 0) return booked
  const fieldErrors = { [options.field]: problems }
  throw new Fault('invalid_request', { formErrors: [], fieldErrors })
}

// The problems of a line, with its position in the list.
function problemsAt(index: number, error: unknown): string[] {
  if (!(error instanceof Fault) || typeof error.error === 'string') throw error
  return Object.entries(error.error.fieldErrors).flatMap(([name, messages]) =>
    messages.map((message) => `${index}.${name}: ${message}`),
  )
}

async function requireLine(
  tx: Tx,
  tenant: Tenant,
  line: ManualLine,
  options: ManualLinesOptions,
): Promise<JournalLine> {
  await requireAccount(tx, tenant, line, options)
  const contact = line.contactId ? await findContact(tx, tenant, line.contactId) : undefined
  if (line.contactId && !contact) throw invalidField('contactId', 'No such contact.')
  await requireTaxCodes(tx, tenant, { taxCodeId: line.taxCodeId })
  return read(tx, tenant, { ...line, contactId: contact?.id }, options)
}

async function requireAccount(
  tx: Tx,
  tenant: Tenant,
  line: ManualLine,
  { baseCurrency, remedy }: ManualLinesOptions,
): Promise<void> {
  const refuse = (message: string) => invalidField('accountId', message)
  const account = await findPaymentAccount(tx, tenant, line.accountId)
  if (!account) throw refuse('No such account.')
  if (!account.active) throw refuse('The account is not active.')
  const { subtype, name } = account
  if (subtype === 'receivable' || subtype === 'payable' || subtype === 'expense_claims') {
    throw refuse(`Only documents and payments post to ${name}. ${remedy}`)
  }
  // The next revaluation compares with this balance.
  if (subtype === 'current_asset' && account.isSystem) {
    throw refuse(`Only revaluations post to ${name}.`)
  }
  const problem = currencyProblem(account, {
    currency: line.currency ?? baseCurrency,
    baseCurrency,
  })
  if (problem) throw invalidField('currency', problem)
}

async function read(
  tx: Tx,
  tenant: Tenant,
  line: ManualLine,
  { date, baseCurrency }: ManualLinesOptions,
): Promise<JournalLine> {
  const currency = line.currency ?? baseCurrency
  const text = assertDefined(line.debit ?? line.credit, 'a line without an amount')
  const [field, sign] =
    line.debit === undefined ? (['credit', -1n] as const) : (['debit', 1n] as const)
  const amountMinor = minorOf(field, text, currency)
  const base = async () => {
    if (currency === baseCurrency) {
      requireOwnWorth(baseCurrency, amountMinor, line)
      return amountMinor
    }
    if (line.baseAmount !== undefined) return minorOf('baseAmount', line.baseAmount, baseCurrency)
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
