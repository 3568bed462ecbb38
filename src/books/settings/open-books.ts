// A new business gets two sets of books, live and sandbox, each with the default chart.
import { environments } from '../../kernel/basics/tenant.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { insertAccounts } from '../accounts/account-store.ts'
import { defaultChart } from '../accounts/default-chart.ts'
import { firstPreviousHash } from '../journal/journal-entry.ts'
import { insertHead } from '../journal/journal-store.ts'
import { defaultPatterns } from './number-series.ts'
import { insertSeries } from './number-series-store.ts'
import { insertOrganisation } from './organisation-store.ts'

const defaultPaymentTermsDays = 30

export async function openBooks(
  tx: Tx,
  context: Context,
  businessId: string,
  baseCurrency: string,
): Promise<void> {
  const createdAt = context.clock.now()
  for (const environment of environments) {
    const tenant = { businessId, environment }
    await insertOrganisation(tx, tenant, { baseCurrency, defaultPaymentTermsDays, createdAt })
    const entries = defaultChart.map((entry) => ({ ...entry, id: context.ids.uuid() }))
    await insertAccounts(tx, tenant, entries, createdAt)
    await insertHead(tx, tenant, firstPreviousHash)
    await insertSeries(tx, tenant, defaultPatterns)
  }
}
