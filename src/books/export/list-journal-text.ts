// The whole journal as text, piece by piece. Entries posted meanwhile are left out: the export ends
// with the last entry at its start.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Context } from '../../kernel/db/context.ts'
import { listAccounts } from '../accounts/account-store.ts'
import {
  findFirstDate,
  findHead,
  listCurrencies,
  listEntries,
} from '../journal/journal-page-store.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { type ExportFormat, textWriter } from './journal-text.ts'

// A few hundred kilobytes of text at a time.
const entriesPerPiece = 1000n

export async function* listJournalText(
  { database: { sql } }: Pick<Context, 'database'>,
  tenant: Tenant,
  format: ExportFormat,
): AsyncGenerator<string> {
  const { baseCurrency, legalName } = await findOrganisation(sql, tenant)
  // Before the accounts, so that no account of an entry is missing.
  const { sequence: last } = await findHead(sql, tenant)
  const writer = textWriter(format, await listAccounts(sql, tenant), baseCurrency)
  const title = `${legalName ?? tenant.businessId}, ${tenant.environment}, entries 1 to ${last}`
  const firstDate = await findFirstDate(sql, tenant)
  const currencies = await listCurrencies(sql, tenant)
  yield writer.header(title, firstDate, [...new Set([baseCurrency, ...currencies])])
  for (let first = 1n; first <= last; first += entriesPerPiece) {
    const end = first + entriesPerPiece - 1n
    const entries = await listEntries(sql, tenant, first, end < last ? end : last)
    yield entries.map(writer.entry).join('')
  }
}
