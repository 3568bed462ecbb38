// Streams events to a developer's program, without a tunnel, a registered endpoint or an exception
// in the egress guard.
import { setTimeout as pause } from 'node:timers/promises'
import { webhookProfiles } from '../../app/background-work.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { environments } from '../../kernel/basics/tenant.ts'
import type { Database } from '../../kernel/db/database.ts'
import { isDatabaseUnavailable } from '../../kernel/db/database-errors.ts'
import { newEndpointSecret } from '../../kernel/webhooks/endpoint.ts'
import {
  type EventStream,
  openEventStream,
  type StreamItem,
} from '../../kernel/webhooks/event-stream.ts'
import { findMeantBusiness } from '../core/choose-business.ts'
import {
  businessUsage,
  type Command,
  type CommandOptions,
  type CommandWorld,
  jsonUsage,
  listOption,
  print,
  requiredOption,
  UsageError,
} from '../core/command.ts'
import { chosenEnvironment } from '../core/environment-option.ts'
import { asJson, asLine } from './event-line.ts'
import { knownEventTypes } from './event-types.ts'
import { type Forwarded, forwardEvent } from './forward-event.ts'
import { connectWhenBack } from './reconnect.ts'

export const listen: Command = {
  name: 'listen',
  summary: 'Print the events of a business as they happen, and forward them to your program',
  usage: [
    "--forward-to URL       your program's address, such as http://localhost:3000/hook",
    businessUsage,
    '--service NAME         only merchant or only books (default: both)',
    '--test, --live         only the sandbox, or only live (default: both)',
    '--events LIST          event types separated by commas (default: all)',
    '--print-secret         print the secret that signs forwarded events, and exit',
    `${jsonUsage}, one event per line`,
  ],
  options: {
    'forward-to': { type: 'string' },
    business: { type: 'string' },
    service: { type: 'string' },
    test: { type: 'boolean' },
    live: { type: 'boolean' },
    environment: { type: 'string' },
    events: { type: 'string' },
    'print-secret': { type: 'boolean' },
    json: { type: 'boolean' },
  },
  async run({ context, settings }, options) {
    const wanted = readWanted(options)
    const business = await findMeantBusiness(context, options)
    const secret = secretOf(context, business.id)
    if (options['print-secret']) {
      print(secret)
      return 0
    }
    const stop = stopSignal()
    const streams = await Promise.all(
      wanted.environments.map((environment) =>
        openEventStream(context.database.sql, { businessId: business.id, environment }),
      ),
    )
    for (const line of beginning(business, wanted, secret)) tell(line, wanted)
    const listening = { context, wanted, secret, stop }
    await followAll(streams, context.database, listening)
    while (!stop.aborted) {
      tell(awayLine, wanted)
      const database = await connectWhenBack(settings, stop)
      if (!database) break
      tell('The database is available again.', wanted)
      await followAll(streams, database, listening)
      await database.close()
    }
    tell('Stopped.', wanted)
    return 0
  },
}

const pollMs = 400
// The time to rebuild and restart a program. It starts when the event is seen, so a program that
// stays away does not delay every event by as much.
const patienceMs = 30_000

const awayLine =
  'The database is not available; the service may be restarting. Listening continues where it ' +
  'stopped once the database is back. Press Ctrl-C to quit.'

type Listening = {
  readonly context: CommandWorld['context']
  readonly wanted: Wanted
  readonly secret: string
  readonly stop: AbortSignal
}

// Runs until the command ends or the database goes away.
async function followAll(
  streams: readonly EventStream[],
  { sql }: Database,
  listening: Listening,
): Promise<void> {
  const { stop } = listening
  try {
    while (!stop.aborted) {
      for (const stream of streams) await follow(await stream.look(sql), listening)
      await pause(pollMs, undefined, { signal: stop }).catch(() => undefined)
    }
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error
  }
}

// One after the other, so that the program receives them in order.
async function follow(seen: readonly StreamItem[], listening: Listening): Promise<void> {
  const { context, wanted, stop } = listening
  const items = seen.filter((item) => isWanted(wanted, item))
  const patientUntilMs = context.clock.monotonicMs() + patienceMs
  for (const item of items) {
    const forwarded = wanted.url === undefined ? null : await send(listening, item, patientUntilMs)
    // An event that the end of the command cut off has no outcome.
    if (stop.aborted && forwarded?.status === null) return
    print(wanted.isJson ? asJson(item, forwarded) : asLine(item, forwarded))
  }
}

function send(
  { context, wanted, secret, stop }: Listening,
  { event, businessId }: StreamItem,
  patientUntilMs: number,
): Promise<Forwarded> {
  const profile = assertDefined(
    webhookProfiles.find(({ service }) => service === event.service),
    'an event of a service that sends none',
  )
  const deliveryId = context.ids.uuid()
  return forwardEvent({
    clock: context.clock,
    url: assertDefined(wanted.url, 'an event is forwarded somewhere'),
    timeoutMs: profile.timeoutMs,
    patienceMs: patientUntilMs - context.clock.monotonicMs(),
    signal: stop,
    request: (attemptNumber) =>
      profile.request({
        eventId: event.id,
        eventType: event.type,
        eventCreatedAt: event.createdAt,
        businessId,
        data: event.data,
        deliveryId,
        attemptNumber,
        sentAtSeconds: Math.floor(context.clock.now().getTime() / 1000),
        secret,
      }),
  })
}

// The same for a business each time, so a program can keep it in its settings.
function secretOf({ secrets, ids }: CommandWorld['context'], businessId: string): string {
  return newEndpointSecret({
    ...ids,
    randomBytes: () => secrets.derive(`webhooks of cli listen/${businessId}`),
  })
}

type Wanted = {
  readonly url: string | undefined
  readonly services: readonly string[]
  readonly environments: readonly (typeof environments)[number][]
  // Empty means all.
  readonly types: readonly string[]
  readonly isJson: boolean
}

function readWanted(options: CommandOptions): Wanted {
  const types = listOption(options, 'events')
  const unknown = types.filter((type) => !knownEventTypes.includes(type))
  if (unknown.length > 0) {
    throw new UsageError(
      `there is no event ${unknown.join(', ')}; there are ${knownEventTypes.join(', ')}`,
    )
  }
  const environment = chosenEnvironment(options)
  return {
    url: urlOption(options),
    services: servicesOption(options),
    environments: environment === undefined ? environments : [environment],
    types,
    isJson: options.json === true,
  }
}

function servicesOption(options: CommandOptions): readonly string[] {
  const all = webhookProfiles.map(({ service }) => service)
  if (options.service === undefined) return all
  const found = all.find((one) => one === requiredOption(options, 'service'))
  if (!found) throw new UsageError(`--service must be ${all.join(' or ')}`)
  return [found]
}

function urlOption(options: CommandOptions): string | undefined {
  if (options['forward-to'] === undefined) return undefined
  const text = requiredOption(options, 'forward-to')
  const url = URL.parse(text.includes('://') ? text : `http://${text}`)
  if (url && /^https?:$/.test(url.protocol)) return url.href
  throw new UsageError('--forward-to must be a web address, such as http://localhost:3000/hook')
}

function isWanted({ services, types }: Wanted, { event }: StreamItem): boolean {
  return services.includes(event.service) && (types.length === 0 || types.includes(event.type))
}

function beginning(business: { id: string; name: string }, wanted: Wanted, secret: string) {
  const { services, environments: places, url } = wanted
  const scope = `${services.join(' and ')}, ${places.join(' and ')}`
  return [
    `Listening to ${business.name} (${business.id}): ${scope}. Press Ctrl-C to quit.`,
    ...(url === undefined ? [] : [`Forwarding to ${url}, signed with ${secret}`]),
  ]
}

// With --json, standard output contains only events.
function tell(line: string, { isJson }: Wanted): void {
  if (isJson) process.stderr.write(`${line}\n`)
  else print(line)
}

// A second signal, or a closed output, ends the process at once.
function stopSignal(): AbortSignal {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  process.stdout.on('error', () => stopping.abort())
  return stopping.signal
}
