import type { Actor } from '../../kernel/auth/actor.ts'
import { permissionDenied } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { MerchantContext } from '../context.ts'
import { findKycStatus } from './business-store.ts'

// For operations that move or collect live money.
export const verified = ({ database }: Pick<MerchantContext, 'database'>, actor: Actor) =>
  requireVerified(database.sql, actor)

// An unverified business can try everything in the sandbox, but moves no real money.
export async function requireVerified(sql: Sql | Tx, tenant: Tenant): Promise<void> {
  if (tenant.environment === 'test') return
  const status = await findKycStatus(sql, tenant.businessId)
  if (status !== 'verified') throw permissionDenied('The business is not verified yet.')
}
