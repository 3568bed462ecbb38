// Which business a developer means: most have one.
import { findBusiness, listBusinesses } from '../kernel/auth/business-store.ts'
import { isUuid } from '../kernel/basics/id.ts'
import type { Tenant } from '../kernel/basics/tenant.ts'
import { type CommandOptions, type CommandWorld, requiredOption, UsageError } from './command.ts'

export const meantBusinessUsage = '--business ID          the business (default: the only one)'

export async function findMeantBusiness(
  { database: { sql } }: CommandWorld['context'],
  options: CommandOptions,
): Promise<{ id: string; name: string }> {
  if (options.business !== undefined) {
    const id = requiredOption(options, 'business')
    const found = isUuid(id) ? await findBusiness(sql, id) : undefined
    if (found) return found
    throw new UsageError(`there is no business ${id}; \`cli businesses\` shows what there is`)
  }
  const [only, ...others] = await listBusinesses(sql)
  if (only && others.length === 0) return only
  const why = only ? `there are ${others.length + 1} businesses` : 'there is no business yet'
  throw new UsageError(`--business is missing, and ${why}; see \`cli businesses\``)
}

export async function meantTenant(
  context: CommandWorld['context'],
  options: CommandOptions,
): Promise<Tenant> {
  const { id: businessId } = await findMeantBusiness(context, options)
  return { businessId, environment: options.test ? 'test' : 'live' }
}
