// The rate of a document on its way into the books. A rate that a person entered stays, and so does
// one that reviewers have seen. Otherwise it is that of the document's date as known now: a draft
// may be older than the rate of its day.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { findRate } from '../currencies/exchange-rate-store.ts'
import type { Document } from './document.ts'

type Rated = Pick<Document, 'currency' | 'date' | 'fxRate' | 'fxRateStated' | 'submittedAt'>

export async function findDocumentRate(
  sql: Sql | Tx,
  tenant: Tenant,
  { currency, date, fxRate, fxRateStated, submittedAt }: Rated,
  baseCurrency: string,
): Promise<string | null> {
  if (currency === baseCurrency) return '1'
  if (fxRate !== null && (fxRateStated || submittedAt)) return fxRate
  return (await findRate(sql, tenant, currency, date)) ?? fxRate
}
