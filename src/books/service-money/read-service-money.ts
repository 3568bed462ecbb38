// The settings of automatic bookkeeping, and the number of waiting movements.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { listWaiting, type WaitingFor } from './movement-store.ts'
import type { ServiceAccounts } from './require-service-accounts.ts'
import { findServiceSettings } from './service-settings-store.ts'

export type ServiceMoney = Partial<ServiceAccounts> & {
  readonly isOn: boolean
  readonly since: Date | null
  readonly waiting: readonly WaitingFor[]
}

export async function readServiceMoney(sql: Sql | Tx, tenant: Tenant): Promise<ServiceMoney> {
  const settings = await findServiceSettings(sql, tenant)
  if (!settings) return { isOn: false, since: null, waiting: [] }
  const { isOn, since, unassignedAccountId, shareAccountId, payoutAccountId } = settings
  const waiting = await listWaiting(sql, tenant)
  return { isOn, since, unassignedAccountId, shareAccountId, payoutAccountId, waiting }
}
