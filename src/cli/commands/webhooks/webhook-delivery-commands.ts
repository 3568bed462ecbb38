// Lists the attempts at an endpoint, and sends events again: one delivery (retry), a time range
// (replay), or the dead letters (redrive).
import { endpointServices } from '../../../app/endpoints.ts'
import type { SystemActor } from '../../../kernel/auth/actor.ts'
import type { Tenant } from '../../../kernel/basics/tenant.ts'
import type { DeliveryContext } from '../../../kernel/endpoints/delivery-operations.ts'
import { logMax } from '../../../kernel/endpoints/list-log.ts'
import type { Redriven } from '../../../kernel/endpoints/redrive-deliveries.ts'
import { runOperation } from '../../../kernel/operations/run-operation.ts'
import type { WebhookProfile } from '../../../kernel/webhooks/profile.ts'
import {
  businessUsage,
  type Command,
  type CommandOptions,
  type CommandWorld,
  jsonUsage,
  listOption,
  print,
  printJson,
  testUsage,
  UsageError,
} from '../../core/command.ts'
import { eventTypesOf } from '../../listen/event-types.ts'
import {
  actorOption,
  endpointOption,
  endpointUsage,
  momentOption,
  refusedHere,
  report,
  serviceOption,
  serviceUsage,
  settingsHint,
  unlessMissing,
  uuidOption,
} from './webhook-options.ts'
import { attemptFields, attemptLine, retriedFields } from './webhook-output.ts'

const ofBusiness = {
  business: { type: 'string' },
  test: { type: 'boolean' },
  json: { type: 'boolean' },
} as const
const ofEndpoint = { ...ofBusiness, endpoint: { type: 'string' } } as const
const dryRunUsage = '--dry-run              only count them'

export const showDeliveries: Command = {
  name: 'webhooks deliveries',
  summary: `Show the newest ${logMax} attempts at an endpoint`,
  usage: [businessUsage, endpointUsage, testUsage, jsonUsage],
  options: ofEndpoint,
  async run(world, options) {
    const actor = await actorOption(world, options, 'cli webhooks deliveries')
    const { endpoint, operations } = await endpointOption(world, options, actor)
    const { id } = endpoint
    const attempts = await runOperation(operations.listDeliveries, world.context, actor, { id })
    if (options.json) printJson(attempts.map(attemptFields))
    else {
      for (const attempt of attempts) print(attemptLine(attempt))
      if (attempts.length === 0) print('Nothing has been sent yet.')
      if (endpoint.state === 'off')
        print('The endpoint is off. `cli webhooks on` continues its waiting deliveries.')
    }
    return 0
  },
}

export const retryWebhook: Command = {
  name: 'webhooks retry',
  summary: 'Send one delivery again now',
  usage: [
    businessUsage,
    '--delivery ID          the delivery (see `cli webhooks deliveries`)',
    testUsage,
    jsonUsage,
  ],
  options: { ...ofBusiness, delivery: { type: 'string' } },
  async run(world, options) {
    const { context, settings } = world
    const actor = await actorOption(world, options, 'cli webhooks retry')
    const id = uuidOption(options, 'delivery')
    const { endpoint, operations } = await findDelivery(world, actor, id)
    // Checked first: as an attempt, it would be logged as a failure of the endpoint.
    const refused = await refusedHere(world, endpoint.url)
    if (refused) {
      report(refused)
      return 1
    }
    const attempt = await runOperation(operations.retryDelivery, context, actor, { id })
    if (options.json) printJson(retriedFields(attempt))
    else print(attemptLine(attempt))
    const hint = settingsHint(settings, attempt.error)
    if (hint) report(hint)
    return attempt.succeeded ? 0 : 1
  },
}

export const replayWebhooks: Command = {
  name: 'webhooks replay',
  summary: 'Replay events from a time range to an endpoint',
  usage: [
    businessUsage,
    endpointUsage,
    '--from TIME            start, for example 2030-01-31T00:00:00Z',
    '--to TIME              end (exclusive)',
    '--type LIST            only these event types, separated by commas (default: all it receives)',
    '--missing              only events that have no delivery, as while it was switched off',
    dryRunUsage,
    testUsage,
    jsonUsage,
  ],
  options: {
    ...ofEndpoint,
    from: { type: 'string' },
    to: { type: 'string' },
    type: { type: 'string' },
    missing: { type: 'boolean' },
    'dry-run': { type: 'boolean' },
  },
  async run(world, options) {
    const { context } = world
    const actor = await actorOption(world, options, 'cli webhooks replay')
    const { endpoint, profile, operations } = await endpointOption(world, options, actor)
    const reporting: DeliveryContext = {
      ...context,
      onReplayed: ({ upTo, ...sum }) =>
        report(`${sum.missing + sum.again} queued so far, up to ${upTo.toISOString()}`),
    }
    const counts = await runOperation(operations.replayEvents, reporting, actor, {
      id: endpoint.id,
      from: momentOption(options, 'from').toISOString(),
      to: momentOption(options, 'to').toISOString(),
      ...(options.type !== undefined && { types: typesOption(options, profile) }),
      isMissingOnly: options.missing === true,
      isDryRun: options['dry-run'] === true,
    })
    const { missing, again, waiting } = counts
    if (options.json) printJson(counts)
    else {
      print(`${options['dry-run'] ? 'Would queue' : 'Queued'} ${missing + again}:`)
      print(`  ${missing} that had no delivery`)
      print(`  ${again} that were delivered before or are dead letters`)
      print(`${waiting} more are already waiting.`)
    }
    return 0
  },
}

export const redriveWebhooks: Command = {
  name: 'webhooks redrive',
  summary: 'Queue the dead letters of one or all endpoints for one more attempt each',
  usage: [
    businessUsage,
    `${endpointUsage}, or`,
    `${serviceUsage}: all endpoints of it`,
    dryRunUsage,
    testUsage,
    jsonUsage,
  ],
  options: { ...ofEndpoint, service: { type: 'string' }, 'dry-run': { type: 'boolean' } },
  async run(world, options) {
    const { context } = world
    const actor = await actorOption(world, options, 'cli webhooks redrive')
    const isDryRun = options['dry-run'] === true
    const { operations, endpointId } =
      options.endpoint === undefined
        ? { ...serviceOption(options), endpointId: undefined }
        : await endpointOption(world, options, actor).then(({ endpoint, ...service }) => ({
            ...service,
            endpointId: endpoint.id,
          }))
    const reporting: DeliveryContext = {
      ...context,
      onRedriven: (id, queued) => report(`${id}: ${queued} queued`),
    }
    const wish = { endpointId, isDryRun }
    const counts = await runOperation(operations.redriveDeliveries, reporting, actor, wish)
    if (options.json) printJson(counts.map(redrivenFields))
    else printRedriven(counts, actor, isDryRun)
    return 0
  },
}

async function findDelivery({ context }: CommandWorld, actor: SystemActor, id: string) {
  for (const { operations } of endpointServices) {
    const found = await unlessMissing(runOperation(operations.getDelivery, context, actor, { id }))
    if (found) return { ...found, operations }
  }
  throw new UsageError(`the business has no delivery ${id}`)
}

function redrivenFields({ endpointId: webhookId, count, leftAlone }: Redriven) {
  return { webhookId, count, leftAlone }
}

function printRedriven(counts: readonly Redriven[], tenant: Tenant, isDryRun: boolean): void {
  const line = (count: number, id: string) => print(`${String(count).padStart(8)}  ${id}`)
  const found = counts.filter(({ count }) => count > 0)
  const left = counts.filter(({ leftAlone }) => leftAlone > 0)
  for (const { endpointId, count } of found) line(count, endpointId)
  if (found.length > 0) print(isDryRun ? 'would be queued' : 'queued')
  else if (left.length === 0) print('There are no dead letters.')
  if (left.length === 0) return
  for (const { endpointId, leftAlone } of left) line(leftAlone, endpointId)
  print('not queued: the endpoint is off. When the receiver works again, run:')
  const sandbox = tenant.environment === 'test' ? ' --test' : ''
  for (const { endpointId } of left) {
    for (const command of ['on', 'redrive']) {
      const which = `--business ${tenant.businessId} --endpoint ${endpointId}${sandbox}`
      print(`  cli webhooks ${command} ${which}`)
    }
  }
}

// An unknown type would match no event, which looks like success.
function typesOption(options: CommandOptions, profile: WebhookProfile): string[] {
  const types = listOption(options, 'type')
  const known = eventTypesOf(profile)
  const unknown = types.filter((type) => !known.includes(type))
  if (unknown.length === 0) return types
  throw new UsageError(
    `--type: ${profile.service} sends no ${unknown.join(', ')}; there are ${known.join(', ')}`,
  )
}
