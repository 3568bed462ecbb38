// Lists and closes discrepancies with the payment provider.
import { isUuid } from '../../../kernel/basics/id.ts'
import type { Tenant } from '../../../kernel/basics/tenant.ts'
import { runOperation } from '../../../kernel/operations/run-operation.ts'
import type { Discrepancy } from '../../../merchant/discrepancies/discrepancy.ts'
import {
  discrepanciesMax,
  listDiscrepancies,
} from '../../../merchant/discrepancies/list-discrepancies.ts'
import { resolveDiscrepancy } from '../../../merchant/discrepancies/resolve-discrepancy.ts'
import { operatorOrBusinessActor } from '../../core/choose-business.ts'
import {
  businessUsage,
  type Command,
  type CommandOptions,
  jsonUsage,
  lineOption,
  print,
  printJson,
  requiredOption,
  testUsage,
  UsageError,
} from '../../core/command.ts'
import { environmentOption } from '../../core/environment-option.ts'
import { findMember } from './approval-commands.ts'

const reasonMax = 500

export const showDiscrepancies: Command = {
  name: 'discrepancies list',
  summary: 'List discrepancies with the payment provider, oldest first',
  usage: [
    '--business ID          only this business',
    '--all                  include resolved ones',
    jsonUsage,
  ],
  options: { business: { type: 'string' }, all: { type: 'boolean' }, json: { type: 'boolean' } },
  async run({ context }, options) {
    const actor = await operatorOrBusinessActor(context, options, 'cli discrepancies list')
    const wanted = { includesResolved: options.all === true }
    const discrepancies = await runOperation(listDiscrepancies, context, actor, wanted)
    if (options.json) {
      printJson(discrepancies)
      return 0
    }
    for (const found of discrepancies)
      for (const line of describe(found, context.clock.now())) print(line)
    if (discrepancies.length === 0) print('No discrepancies.')
    if (discrepancies.length === discrepanciesMax)
      print(`These are the oldest ${discrepanciesMax}; there may be more.`)
    return 0
  },
}

export const resolveDiscrepancyCommand: Command = {
  name: 'discrepancies resolve',
  summary: 'Close a discrepancy that you have dealt with; posts and sends nothing',
  usage: [
    businessUsage,
    '--discrepancy ID       which (see `cli discrepancies list`)',
    '--reason TEXT          what you found and did, for the audit log',
    '--email ADDRESS        of an owner or admin; asks for password and code',
    testUsage,
  ],
  options: {
    business: { type: 'string' },
    discrepancy: { type: 'string' },
    reason: { type: 'string' },
    email: { type: 'string' },
    test: { type: 'boolean' },
  },
  async run(world, options) {
    const { context } = world
    const id = discrepancyOption(options)
    const reason = lineOption(options, 'reason', reasonMax)
    const member = await findMember(world, options)
    const actor = { ...member, environment: environmentOption(options) }
    const resolved = await runOperation(resolveDiscrepancy, context, actor, { id, reason })
    const { cause, objectKind, objectId } = resolved
    print(`Resolved: ${cause} of ${objectKind} ${objectId}.`)
    return 0
  },
}

function discrepancyOption(options: CommandOptions): string {
  const id = requiredOption(options, 'discrepancy')
  if (!isUuid(id)) throw new UsageError(`--discrepancy is not an id: ${id}`)
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

// In the largest unit that fits.
function age(since: Date, now: Date): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - since.getTime()) / 60_000))
  if (minutes < 60) return `${minutes}m`
  return minutes < 24 * 60 ? `${Math.floor(minutes / 60)}h` : `${Math.floor(minutes / 1440)}d`
}
