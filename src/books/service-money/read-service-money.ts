// The settings of automatic bookkeeping, and the number of waiting movements.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { listWaiting, type WaitingFor } from './movement-store.ts'
import type { ServiceAccounts } from './require-service-accounts.ts'
import { findServiceSettings } from './service-settings-store.ts'

export type ServiceMoney = Partial<ServiceAccounts> & {
  readonly isOn: boolean
  readonly since: Date | null
  readonly takesInvoicePayments: boolean
  readonly takesPartPayments: boolean
  readonly waiting: readonly WaitingFor[]
}

export async function readServiceMoney(sql: Sql | Tx, tenant: Tenant): Promise<ServiceMoney> {
  const settings = await findServiceSettings(sql, tenant)
  if (!settings) {
    const off = { takesInvoicePayments: false, takesPartPayments: false }
    return { isOn: false, since: null, ...off, waiting: [] }
  }
  const { isOn, since, unassignedAccountId, shareAccountId, payoutAccountId } = settings
  const { takesInvoicePayments, takesPartPayments } = settings
  return {
    isOn,
    since,
    unassignedAccountId,
    shareAccountId,
    payoutAccountId,
    takesInvoicePayments,
    takesPartPayments,
    waiting: await listWaiting(sql, tenant),
  }
}
