// What happened between us and a contact in a period: the balance before, each document, payment
// and credit with the balance after it, and the balance at the end. Positive is what they owe us.
import { z } from 'zod'
import { invalidField, notFound } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { type BooksContext, defineOperation } from '../context.ts'
import type { Period } from '../reports/report-days.ts'
import { periodInput, periodOf } from '../reports/report-period.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import type { Contact } from './contact.ts'
import { listStatementRows, type MovementRow } from './contact-statement-store.ts'
import { findContact } from './contact-store.ts'

const linesMax = 5000

export type StatementLine = MovementRow & { readonly balanceMinor: bigint }

export type CurrencyStatement = {
  readonly currency: string
  readonly openingMinor: bigint
  readonly lines: readonly StatementLine[]
  readonly closingMinor: bigint
}

export type ContactStatement = Period & {
  readonly contact: Contact
  // One for each currency in which there was something, by its code.
  readonly currencies: readonly CurrencyStatement[]
}

export const getContactStatement = defineOperation({
  name: 'get-contact-statement',
  summary: 'Show what happened with a contact in a period, with the balance',
  kind: 'read',
  input: z.strictObject({ id: uuid(), ...periodInput }),
  scopes: [],
  roles: everyRole,
  run: (context, actor, wanted): Promise<ContactStatement> =>
    readContactStatement(context, actor, wanted),
})

export type WantedStatement = {
  readonly id: string
  readonly from?: string | undefined
  readonly to?: string | undefined
}

// Also for statements that are mailed by themselves.
export async function readContactStatement(
  { database: { sql }, clock }: BooksContext,
  tenant: Tenant,
  { id, ...wanted }: WantedStatement,
): Promise<ContactStatement> {
  const [organisation, contact] = await Promise.all([
    findOrganisation(sql, tenant),
    findContact(sql, tenant, id),
  ])
  if (!contact) throw notFound('contact')
  const period = periodOf(organisation, clock.now(), wanted)
  const rows = await listStatementRows(sql, tenant, id, period, linesMax + 1)
  if (rows.length > linesMax) {
    throw invalidField('from', `There are more than ${linesMax} lines. Choose a shorter period.`)
  }
  const ofCurrency = [...Map.groupBy(rows, ({ currency }) => currency)]
  const currencies = ofCurrency
    .map(([currency, own]) => statementOf(currency, own))
    .toSorted((left, right) => (left.currency < right.currency ? -1 : 1))
  return { ...period, contact, currencies }
}

type Row = Awaited<ReturnType<typeof listStatementRows>>[number]

function statementOf(currency: string, rows: readonly Row[]): CurrencyStatement {
  let balanceMinor = 0n
  let openingMinor = 0n
  const lines: StatementLine[] = []
  for (const row of rows) {
    balanceMinor += row.amountMinor
    if (row.sequence === null) openingMinor = balanceMinor
    else lines.push({ ...row, balanceMinor })
  }
  return { currency, openingMinor, lines, closingMinor: balanceMinor }
}
