// A new business gets two sets of books, live and sandbox, each with the default chart and default
// accounts for lines: documents from the interface can be issued unchanged, and money of the
// merchant service is posted automatically.
import { assertDefined } from '../../kernel/basics/assert.ts'
import { environments } from '../../kernel/basics/tenant.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { insertAccounts } from '../accounts/account-store.ts'
import {
  type ChartEntry,
  defaultBankCode,
  defaultChart,
  defaultPurchaseCode,
  defaultSalesCode,
  shareAccount,
  unassignedAccount,
} from '../accounts/default-chart.ts'
import { firstPreviousHash } from '../journal/journal-entry.ts'
import { insertHead } from '../journal/journal-store.ts'
import { lookingFrom } from '../service-money/service-settings.ts'
import { insertServiceSettings } from '../service-money/service-settings-store.ts'
import { defaultPatterns } from './number-series.ts'
import { insertSeries } from './number-series-store.ts'
import { insertOrganisation, updateOrganisation } from './organisation-store.ts'

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
    await updateOrganisation(tx, tenant, {
      defaultSalesAccountId: idOf(entries, defaultSalesCode),
      defaultPurchaseAccountId: idOf(entries, defaultPurchaseCode),
    })
    await insertHead(tx, tenant, firstPreviousHash)
    await insertSeries(tx, tenant, defaultPatterns)
    await insertServiceSettings(tx, tenant, {
      isOn: true,
      ...lookingFrom(createdAt, createdAt),
      unassignedAccountId: idOf(entries, unassignedAccount.code),
      shareAccountId: idOf(entries, shareAccount.code),
      payoutAccountId: idOf(entries, defaultBankCode),
      takesInvoicePayments: true,
      takesPartPayments: false,
    })
  }
}

function idOf(entries: readonly (ChartEntry & { readonly id: string })[], code: string): string {
  const found = entries.find((entry) => entry.code === code)
  return assertDefined(found, `the default chart has no account ${code}`).id
}
