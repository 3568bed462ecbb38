// Commands for the webhook endpoints of a business, in both services.
import { overlapHoursDefault } from '../../../kernel/endpoints/rotate-secret.ts'
import { runOperation } from '../../../kernel/operations/run-operation.ts'
import type { WebhookProfile } from '../../../kernel/webhooks/profile.ts'
import {
  businessUsage,
  type Command,
  type CommandOptions,
  jsonUsage,
  listOption,
  print,
  printJson,
  requiredOption,
  testUsage,
  UsageError,
} from '../../core/command.ts'
import { namingOptions } from '../../core/fault-text.ts'
import {
  actorOption,
  endpointOption,
  endpointUsage,
  hintingAtSettings,
  reportDuplicates,
  serviceOption,
  serviceUsage,
} from './webhook-options.ts'
import { endpointFields, endpointLines } from './webhook-output.ts'

const ofBusiness = {
  business: { type: 'string' },
  test: { type: 'boolean' },
  json: { type: 'boolean' },
} as const
const ofEndpoint = { ...ofBusiness, endpoint: { type: 'string' } } as const
const eventsUsage = '--events LIST          event types separated by commas, or all; books only'

export const showWebhooks: Command = {
  name: 'webhooks list',
  summary: 'List the webhook endpoints of a business',
  usage: [businessUsage, serviceUsage, testUsage, jsonUsage],
  options: { ...ofBusiness, service: { type: 'string' } },
  async run(world, options) {
    const actor = await actorOption(world, options, 'cli webhooks list')
    const { listEndpoints } = serviceOption(options).operations
    const endpoints = await runOperation(listEndpoints, world.context, actor, {})
    if (options.json) printJson(endpoints.map((one) => endpointFields(one, actor)))
    else {
      for (const endpoint of endpoints) for (const line of endpointLines(endpoint)) print(line)
      if (endpoints.length === 0) print('None yet. Create one with `cli webhooks create`.')
    }
    return 0
  },
}

export const createWebhookCommand: Command = {
  name: 'webhooks create',
  summary: 'Register a webhook endpoint and show its secret once',
  usage: [
    businessUsage,
    serviceUsage,
    '--url ADDRESS          https, on the public internet',
    `${eventsUsage} (default: all)`,
    testUsage,
    jsonUsage,
  ],
  options: {
    ...ofBusiness,
    service: { type: 'string' },
    url: { type: 'string' },
    events: { type: 'string' },
  },
  async run(world, options) {
    const actor = await actorOption(world, options, 'cli webhooks create')
    const { profile, operations } = serviceOption(options)
    const url = requiredOption(options, 'url')
    const eventTypes = eventsOption(options, profile) ?? null
    const { secret, ...endpoint } = await hintingAtSettings(world, () =>
      runOperation(operations.createEndpoint, world.context, actor, { url, eventTypes }),
    )
    if (options.json) printJson({ ...endpointFields(endpoint, actor), secret })
    else {
      print(secret)
      print()
      print(`Endpoint ${endpoint.id}. The secret is shown only once.`)
    }
    await reportDuplicates(world, actor, operations, endpoint)
    return 0
  },
}

export const updateWebhookCommand: Command = {
  name: 'webhooks update',
  summary: 'Change the URL or the event types of an endpoint',
  usage: [
    businessUsage,
    endpointUsage,
    '--url ADDRESS          new URL, also for deliveries that are waiting',
    eventsUsage,
    testUsage,
    jsonUsage,
  ],
  options: { ...ofEndpoint, url: { type: 'string' }, events: { type: 'string' } },
  async run(world, options) {
    const actor = await actorOption(world, options, 'cli webhooks update')
    const { endpoint, profile, operations } = await endpointOption(world, options, actor)
    const eventTypes = eventsOption(options, profile)
    const changes = {
      ...(options.url !== undefined && { url: requiredOption(options, 'url') }),
      ...(eventTypes !== undefined && { eventTypes }),
    }
    if (Object.keys(changes).length === 0) throw new UsageError('use --url or --events')
    const { id } = endpoint
    const changed = await hintingAtSettings(world, () =>
      runOperation(operations.updateEndpoint, world.context, actor, { id, ...changes }),
    )
    if (options.json) printJson(endpointFields(changed, actor))
    else for (const line of endpointLines(changed)) print(line)
    await reportDuplicates(world, actor, operations, changed)
    return 0
  },
}

export const deleteWebhookCommand: Command = {
  name: 'webhooks delete',
  summary: 'Delete an endpoint and its waiting deliveries',
  usage: [businessUsage, endpointUsage, testUsage],
  options: ofEndpoint,
  async run(world, options) {
    const actor = await actorOption(world, options, 'cli webhooks delete')
    const { endpoint, operations } = await endpointOption(world, options, actor)
    const { id } = endpoint
    await runOperation(operations.deleteEndpoint, world.context, actor, { id })
    print(`Removed ${id}.`)
    return 0
  },
}

export const switchOnWebhook: Command = {
  name: 'webhooks on',
  summary: 'Switch an endpoint on again after too many failures',
  usage: [businessUsage, endpointUsage, testUsage, jsonUsage],
  options: ofEndpoint,
  async run(world, options) {
    const actor = await actorOption(world, options, 'cli webhooks on')
    const { endpoint, operations } = await endpointOption(world, options, actor)
    const { id } = endpoint
    const on = await runOperation(operations.switchOnEndpoint, world.context, actor, { id })
    if (options.json) {
      printJson(on)
      return 0
    }
    const { resumed, planned, missed } = on
    print(`On. Deliveries that continue now: ${resumed}.`)
    if (planned.nextAt) {
      const next = planned.nextAt.toISOString()
      print(`Deliveries that keep their planned time: ${planned.count}, the next at ${next}.`)
    }
    if (missed.count > 0) {
      print(`Events missed while it was off: ${missed.count}. To send them too:`)
      const sandbox = options.test ? ' --test' : ''
      print(
        `  cli webhooks replay --business ${actor.businessId} --endpoint ${id} --missing ` +
          `--from ${missed.from.toISOString()} --to ${missed.to.toISOString()}${sandbox}`,
      )
    }
    return 0
  },
}

export const pingWebhook: Command = {
  name: 'webhooks ping',
  summary: 'Send the event test.ping to one endpoint',
  usage: [businessUsage, endpointUsage, testUsage, jsonUsage],
  options: ofEndpoint,
  async run(world, options) {
    const actor = await actorOption(world, options, 'cli webhooks ping')
    const { endpoint, operations } = await endpointOption(world, options, actor)
    const { id } = endpoint
    const sent = await runOperation(operations.sendTestEvent, world.context, actor, { id })
    if (options.json) printJson(sent)
    else print(`Queued as delivery ${sent.deliveryId}; see \`cli webhooks deliveries\`.`)
    return 0
  },
}

export const rotateWebhookSecret: Command = {
  name: 'webhooks rotate',
  summary: 'Rotate the secret of an endpoint and show the new one once',
  usage: [
    businessUsage,
    endpointUsage,
    `--overlap-hours N      the old one still signs for N hours (default: ${overlapHoursDefault})`,
    testUsage,
    jsonUsage,
  ],
  options: { ...ofEndpoint, 'overlap-hours': { type: 'string' } },
  async run(world, options) {
    const actor = await actorOption(world, options, 'cli webhooks rotate')
    const { endpoint, operations } = await endpointOption(world, options, actor)
    const { id } = endpoint
    const overlapHours =
      options['overlap-hours'] === undefined
        ? undefined
        : Number(requiredOption(options, 'overlap-hours'))
    const rotated = await namingOptions({ overlapHours: 'overlap_hours' }, () =>
      runOperation(operations.rotateSecret, world.context, actor, { id, overlapHours }),
    )
    const { secret, oldSecretUntil: until } = rotated
    if (options.json) printJson(rotated)
    else {
      print(secret)
      print()
      print('The secret is shown only once.')
      print(
        until ? `The old one still signs until ${until.toISOString()}.` : 'The old one is void.',
      )
    }
    return 0
  },
}

export const promoteWebhookSecret: Command = {
  name: 'webhooks promote',
  summary: 'End the overlap of a rotation now; only the new secret signs',
  usage: [businessUsage, endpointUsage, testUsage],
  options: ofEndpoint,
  async run(world, options) {
    const actor = await actorOption(world, options, 'cli webhooks promote')
    const { endpoint, operations } = await endpointOption(world, options, actor)
    const { id } = endpoint
    await runOperation(operations.promoteSecret, world.context, actor, { id })
    print('Only the new secret signs now.')
    return 0
  },
}

// Null means all; undefined means that the option is missing.
function eventsOption(
  options: CommandOptions,
  { testEventType }: WebhookProfile,
): string[] | null | undefined {
  if (options.events === undefined) return undefined
  const events = listOption(options, 'events')
  if (events.includes(testEventType)) {
    throw new UsageError(
      `--events: ${testEventType} cannot be chosen; \`cli webhooks ping\` sends it to any endpoint`,
    )
  }
  return events.includes('all') ? null : events
}
