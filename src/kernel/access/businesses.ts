// The businesses of the whole installation, for the operator's commands. They take no tenant,
// because they list the tenants.
import { findBusiness, listBusinesses as listAll } from '../auth/business-store.ts'
import { isUuid } from '../basics/id.ts'
import type { Context } from '../db/context.ts'

export type Business = {
  readonly id: string
  readonly name: string
  readonly isDemo: boolean
  readonly createdAt: Date
}

type BusinessContext = Pick<Context, 'database'>

export async function listBusinesses({ database }: BusinessContext): Promise<Business[]> {
  return listAll(database.sql)
}

export async function findBusinessById(
  { database }: BusinessContext,
  id: string,
): Promise<Business | undefined> {
  return isUuid(id) ? findBusiness(database.sql, id) : undefined
}

// Undefined if there is none, or more than one.
export async function findOnlyBusiness(context: BusinessContext): Promise<Business | undefined> {
  const [only, ...others] = await listBusinesses(context)
  return others.length === 0 ? only : undefined
}
