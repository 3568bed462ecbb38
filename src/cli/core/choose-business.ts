// Finds the business of a command. Most installations have one, so the option can be left out.
import {
  findBusinessById,
  findOnlyBusiness,
  listBusinesses,
} from '../../kernel/access/businesses.ts'
import { operatorActor, type SystemActor } from '../../kernel/auth/actor.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import { type CommandOptions, type CommandWorld, requiredOption, UsageError } from './command.ts'
import { environmentOption } from './environment-option.ts'

export type MeantBusiness = { readonly id: string; readonly name: string }

export async function findMeantBusiness(
  context: CommandWorld['context'],
  options: CommandOptions,
): Promise<MeantBusiness> {
  const meant = await findNamedOrOnlyBusiness(context, options)
  if (meant) return meant
  const { length } = await listBusinesses(context)
  const why = length > 0 ? `there are ${length} businesses` : 'there is no business yet'
  throw new UsageError(`--business is missing, and ${why}; see \`cli businesses\``)
}

export async function meantTenant(
  context: CommandWorld['context'],
  options: CommandOptions,
): Promise<Tenant> {
  const { id: businessId } = await findMeantBusiness(context, options)
  return { businessId, environment: environmentOption(options) }
}

// Commands act as the system in the chosen business, with their own name such as `cli fees set`.
export async function commandActor(
  context: CommandWorld['context'],
  options: CommandOptions,
  name: string,
): Promise<SystemActor> {
  return systemActor(name, await meantTenant(context, options))
}

// For lists over all businesses that can be limited to one.
export async function operatorOrBusinessActor(
  context: CommandWorld['context'],
  options: CommandOptions,
  name: string,
): Promise<SystemActor> {
  const named = await findNamedBusiness(context, options)
  if (!named) return operatorActor(name)
  return systemActor(name, { businessId: named.id, environment: 'live' })
}

export function systemActor(name: string, tenant: Tenant): SystemActor {
  return { ...tenant, kind: 'system', name }
}

// For commands that also make sense without a business. Undefined if none is named and there are
// several.
export async function findNamedOrOnlyBusiness(
  context: CommandWorld['context'],
  options: CommandOptions,
): Promise<MeantBusiness | undefined> {
  return (await findNamedBusiness(context, options)) ?? findOnlyBusiness(context)
}

// For lists over all businesses that can be limited to one.
export async function findNamedBusiness(
  context: CommandWorld['context'],
  options: CommandOptions,
): Promise<MeantBusiness | undefined> {
  if (options.business === undefined) return undefined
  const id = requiredOption(options, 'business')
  const found = await findBusinessById(context, id)
  if (found) return found
  throw new UsageError(`there is no business ${id}; see \`cli businesses\``)
}
