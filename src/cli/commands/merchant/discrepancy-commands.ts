// What does not agree with the payment provider, for a person to look at and to lay to rest.
import { isUuid } from '../../../kernel/basics/id.ts'
import { isOneLine } from '../../../kernel/basics/one-line.ts'
import type { Tenant } from '../../../kernel/basics/tenant.ts'
import {
  type Discrepancy,
  listDiscrepancies,
} from '../../../merchant/discrepancies/discrepancy-store.ts'
import { resolveDiscrepancy } from '../../../merchant/discrepancies/resolve-discrepancy.ts'
import { findNamedBusiness } from '../../core/choose-business.ts'
import {
  businessUsage,
  type Command,
  type CommandOptions,
  jsonUsage,
  print,
  printJson,
  requiredOption,
  testUsage,
  UsageError,
} from '../../core/command.ts'
import { environmentOption } from '../../core/environment-option.ts'
import { findMember } from './approval-commands.ts'

const listMax = 1000
const reasonMax = 500

export const showDiscrepancies: Command = {
  name: 'breaks list',
  summary: 'List what does not agree with the payment provider, oldest first',
  usage: [
    '--business ID          of this business alone',
    '--all                  resolved ones too',
    jsonUsage,
  ],
  options: { business: { type: 'string' }, all: { type: 'boolean' }, json: { type: 'boolean' } },
  async run({ context }, options) {
    const named = await findNamedBusiness(context, options)
    const wanted = { businessId: named?.id, isOpen: !options.all }
    const discrepancies = await listDiscrepancies(context.database.sql, wanted, listMax)
    if (options.json) {
      printJson(discrepancies)
      return 0
    }
    for (const found of discrepancies)
      for (const line of describe(found, context.clock.now())) print(line)
    if (discrepancies.length === 0) print('Everything agrees.')
    if (discrepancies.length === listMax)
      print(`These are the oldest ${listMax}; there may be more.`)
    return 0
  },
}

export const resolveDiscrepancyCommand: Command = {
  name: 'breaks resolve',
  summary: 'Say that somebody has seen to a break; nothing is booked or sent',
  usage: [
    businessUsage,
    '--break ID             which (see `cli breaks list`)',
    '--reason TEXT          what was found and done, for the record',
    '--email ADDRESS        an owner or admin; the password and the code are asked for',
    testUsage,
  ],
  options: {
    business: { type: 'string' },
    break: { type: 'string' },
    reason: { type: 'string' },
    email: { type: 'string' },
    test: { type: 'boolean' },
  },
  async run(world, options) {
    const { context } = world
    const id = discrepancyOption(options)
    const reason = requiredOption(options, 'reason')
    if ([...reason].length > reasonMax || !isOneLine(reason)) {
      throw new UsageError(`--reason must be one line of at most ${reasonMax} characters`)
    }
    const member = await findMember(world, options, ['owner', 'admin'])
    const actor = { ...member, environment: environmentOption(options) }
    const { cause, objectKind, objectId } = await context.database.transaction((tx) =>
      resolveDiscrepancy(tx, context, actor, { id, reason }),
    )
    print(`Resolved: ${cause} of ${objectKind} ${objectId}.`)
    return 0
  },
}

function discrepancyOption(options: CommandOptions): string {
  const id = requiredOption(options, 'break')
  if (!isUuid(id)) throw new UsageError(`--break is no id: ${id}`)
  return id.toLowerCase()
}

function describe(found: Tenant & Discrepancy, now: Date): string[] {
  const { id, cause, objectKind, objectId, businessId, environment, detail } = found
  const where = `business ${businessId}${environment === 'test' ? ' (sandbox)' : ''}`
  const seen = Object.entries(detail).map(([name, value]) => `${name} ${value ?? '-'}`)
  const { resolvedAt, resolution } = found
  return [
    `${id}  ${age(found.createdAt, now).padStart(4)}  ${cause}  ${objectKind} ${objectId}`,
    `  ${where}`,
    `  ${seen.join(', ')}`,
    ...(resolvedAt ? [`  resolved ${resolvedAt.toISOString()}: ${resolution}`] : []),
  ]
}

// In the largest unit of which there is one.
function age(since: Date, now: Date): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - since.getTime()) / 60_000))
  if (minutes < 60) return `${minutes}m`
  return minutes < 24 * 60 ? `${Math.floor(minutes / 60)}h` : `${Math.floor(minutes / 1440)}d`
}
