// Completes the input of a draft: missing values come from the line's item, then the contact, then
// the organisation, and the lines are priced. A wrong value is refused with the reason; a missing
// one can stay open on a draft, but blocks issuing.
import { assertDefined } from '../../kernel/basics/assert.ts'
import { addDays } from '../../kernel/basics/calendar.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { currencyOf } from '../../kernel/money/currency.ts'
import { toText, zeroDecimal } from '../../kernel/money/decimal.ts'
import { isWithinRange } from '../../kernel/money/minor-units.ts'
import { accountProblem, type LineCurrency } from '../accounts/control-account.ts'
import { statedRateProblem } from '../currencies/require-rate.ts'
import type { TaxRounding } from '../settings/organisation.ts'
import { taxCodeProblem } from '../taxes/tax-code.ts'
import type { DocumentLine } from './document.ts'
import type { DocumentInput, LineInput } from './document-input.ts'
import { type DraftContact, type DraftDefaults, findDraftDefaults } from './draft-default-store.ts'
import { lineDefault } from './line-defaults.ts'
import { type DocumentPrice, priceDocument } from './price-document.ts'

export type Draft = Omit<DocumentPrice, 'lines'> & {
  readonly contactId: string
  readonly date: string
  readonly dueDate: string
  readonly reference: string | null
  readonly notes: string | null
  readonly currency: string
  readonly fxRate: string | null
  readonly fxRateStated: boolean
  readonly taxRounding: TaxRounding
  readonly lines: readonly DocumentLine[]
}

export async function resolveDraft(
  sql: Sql | Tx,
  context: Pick<Context, 'clock' | 'ids'>,
  tenant: Tenant,
  side: 'sales' | 'purchase',
  input: DocumentInput,
): Promise<Draft> {
  const defaults = await findDraftDefaults(sql, tenant, {
    side,
    contactId: input.contactId,
    currency: input.currency ?? null,
    date: input.date ?? null,
    now: context.clock.now(),
    itemIds: given(input.lines.map((line) => line.itemId)),
    accountIds: given(input.lines.map((line) => line.accountId)),
    taxCodeIds: given(input.lines.map((line) => line.taxCodeId)),
  })
  const { date } = defaults
  const problems = createProblems()
  const contact = usableContact(defaults.contact, side, problems)
  const dueDate = input.dueDate ?? addDays(date, contact?.paymentTermsDays ?? 0)
  if (dueDate < date) problems.add('dueDate', `Must not be before ${date}, the date.`)
  const { baseCurrency } = defaults
  const currency = input.currency ?? contact?.currency ?? baseCurrency
  const rateProblem = statedRateProblem(input.fxRate, currency, baseCurrency)
  if (rateProblem) problems.add('fxRate', rateProblem)
  const resolved = input.lines.map((line, index) =>
    resolveLine(line, { currency, baseCurrency }, defaults, (field, message) =>
      problems.add('lines', `${index}.${field}: ${message}`),
    ),
  )
  problems.throwIfAny()
  const { taxRounding } = defaults
  const price = priceDocument(
    currencyOf(currency),
    taxRounding,
    resolved.map(({ line, taxCode }) => ({
      quantity: line.quantity,
      unitPrice: line.unitPrice,
      discountPct: line.discountPct ?? zeroDecimal,
      taxCode,
    })),
  )
  requireAmounts(price, problems)
  return {
    // Another than asked for, if that one was merged.
    contactId: defaults.contact?.id ?? input.contactId,
    date,
    dueDate,
    reference: input.reference || null,
    notes: input.notes || null,
    currency,
    fxRate: currency === baseCurrency ? '1' : (input.fxRate ?? defaults.rate),
    fxRateStated: input.fxRate !== undefined,
    taxRounding,
    subtotalMinor: price.subtotalMinor,
    taxTotalMinor: price.taxTotalMinor,
    totalMinor: price.totalMinor,
    lines: resolved.map(({ line, accountId, taxCode }, index) => ({
      id: context.ids.uuid(),
      position: index + 1,
      itemId: line.itemId ?? null,
      description: line.description,
      quantity: toText(line.quantity),
      unitPrice: toText(line.unitPrice),
      discountPct: toText(line.discountPct ?? zeroDecimal),
      accountId,
      taxCodeId: taxCode?.id ?? null,
      ...assertDefined(price.lines[index], 'a line without a price'),
    })),
  }
}

function usableContact(
  contact: DraftContact | null,
  side: 'sales' | 'purchase',
  problems: Problems,
): DraftContact | null {
  const role = side === 'sales' ? 'customer' : 'supplier'
  if (!contact) problems.add('contactId', `No such ${role}.`)
  else if (side === 'sales' ? !contact.isCustomer : !contact.isSupplier) {
    problems.add('contactId', `The contact is not a ${role}.`)
  } else if (!contact.active) problems.add('contactId', 'The contact is not active.')
  return contact
}

// A value that the line or its item names must be usable. An unusable default of the contact or the
// organisation is skipped.
function resolveLine(
  line: LineInput,
  lineCurrency: LineCurrency,
  defaults: DraftDefaults,
  refuse: (field: string, message: string) => void,
) {
  const { accounts, taxCodes, organisation, contact } = defaults
  const item = line.itemId === undefined ? undefined : defaults.items.get(line.itemId)
  if (line.itemId !== undefined && !item) refuse('itemId', 'No such item.')
  if (item && !item.active) refuse('itemId', 'The item is not active.')

  const accountId = line.accountId
  if (accountId !== undefined) {
    const problem = accountProblem(accounts.get(accountId), lineCurrency)
    if (problem) refuse('accountId', problem)
  } else if (item?.accountId) {
    const problem = accountProblem(accounts.get(item.accountId), lineCurrency)
    if (problem) refuse('itemId', `The account of the item can't be used: ${problem}`)
  }
  const isUsableAccount = (id: string) => !accountProblem(accounts.get(id), lineCurrency)
  const taxCodeId = line.taxCodeId
  if (taxCodeId !== undefined) {
    const problem = taxCodeProblem(taxCodes.get(taxCodeId))
    if (problem) refuse('taxCodeId', problem)
  } else if (item?.taxCodeId) {
    const problem = taxCodeProblem(taxCodes.get(item.taxCodeId))
    if (problem) refuse('itemId', `The tax code of the item can't be used: ${problem}`)
  }
  const isUsableCode = (id: string) => taxCodeProblem(taxCodes.get(id)) === undefined
  const values = (field: 'accountId' | 'taxCodeId') => ({
    item: item?.[field],
    contact: contact?.[field],
    organisation: organisation[field],
  })
  const codeId = taxCodeId ?? lineDefault(values('taxCodeId'), isUsableCode)?.id
  return {
    line,
    accountId: accountId ?? lineDefault(values('accountId'), isUsableAccount)?.id ?? null,
    taxCode: (codeId && taxCodes.get(codeId)) || null,
  }
}

// The limits of the database and of the sums in reports, and of what can be owed.
function requireAmounts(price: DocumentPrice, problems: Problems): void {
  const totals = [price.subtotalMinor, price.taxTotalMinor, price.totalMinor]
  for (const [index, line] of price.lines.entries()) {
    if (![line.netMinor, line.taxMinor, line.grossMinor].every(isWithinRange)) {
      problems.add('lines', `${index}: The amount is too large.`)
    }
  }
  problems.throwIfAny()
  if (!totals.every(isWithinRange)) problems.add('lines', 'The total is too large.')
  if (price.totalMinor < 0n) {
    problems.add('lines', 'The total must not be negative. Create a credit instead.')
  }
  problems.throwIfAny()
}

type Problems = { add(field: string, message: string): void; throwIfAny(): void }

// All problems are reported at once.
function createProblems(): Problems {
  const fieldErrors: Record<string, string[]> = {}
  return {
    add(field, message) {
      fieldErrors[field] = [...(fieldErrors[field] ?? []), message]
    },
    throwIfAny() {
      if (Object.keys(fieldErrors).length === 0) return
      throw new Fault('invalid_request', { formErrors: [], fieldErrors })
    },
  }
}

function given<Value>(values: readonly (Value | null | undefined)[]): Value[] {
  return values.filter((value): value is Value => value !== null && value !== undefined)
}
