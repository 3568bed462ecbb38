// Causes an event in the sandbox. Never live: real events would move money, and made-up ones could
// make shops send goods that no one paid for.
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { ServiceContext } from '../../kernel/operations/service-context.ts'
import { publish } from '../../kernel/webhooks/event.ts'
import { findMeantBusiness } from '../core/choose-business.ts'
import {
  businessUsage,
  type Command,
  jsonUsage,
  print,
  printJson,
  UsageError,
} from '../core/command.ts'
import { knownEventTypes } from '../listen/event-types.ts'
import { exampleOf } from '../listen/example-events.ts'
import { type Act, bookActs } from './trigger-books.ts'
import { triggerPayment } from './trigger-payment.ts'

// Events with a real operation behind them.
const acts: Readonly<Record<string, Act>> = {
  'payment.succeeded': (context, tenant) => triggerPayment(context, tenant, 'paid'),
  'payment.failed': (context, tenant) => triggerPayment(context, tenant, 'declined'),
  'payment.refunded': (context, tenant) => triggerPayment(context, tenant, 'refunded'),
  ...bookActs,
}

const isReal = (type: string) => Object.hasOwn(acts, type)

export const trigger: Command = {
  name: 'trigger',
  argument: 'event',
  summary: 'Cause an event in the sandbox, to try out a receiver',
  usage: [
    businessUsage,
    '--test                 allowed; it is always the sandbox',
    jsonUsage,
    '',
    'Real, caused as your program and a payer would:',
    ...knownEventTypes.filter(isReal).map((type) => `  ${type}`),
    'Made up, with `example: true` in the data:',
    ...knownEventTypes.filter((type) => !isReal(type)).map((type) => `  ${type}`),
  ],
  options: {
    business: { type: 'string' },
    test: { type: 'boolean' },
    live: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  async run({ context }, options) {
    const type = typeOption(options.event)
    if (options.live) throw new UsageError('trigger works in the sandbox only')
    const business = await findMeantBusiness(context, options)
    const tenant = { businessId: business.id, environment: 'test' } as const
    const act = acts[type] ?? ((one, owner) => makeUp(one, owner, type))
    const objectId = await act(context, tenant)
    if (options.json) {
      printJson({ type, object_id: objectId, environment: 'test', example: !isReal(type) })
      return 0
    }
    print(`${type} of ${objectId}, in the sandbox of ${business.name}.`)
    if (!isReal(type))
      print('The event is made up: no object has this id. Its data contains `example: true`.')
    return 0
  },
}

function typeOption(given: string | boolean | undefined): string {
  const known = `there are ${knownEventTypes.join(', ')}`
  if (typeof given !== 'string') throw new UsageError(`which event? ${known}`)
  if (knownEventTypes.includes(given)) return given
  throw new UsageError(`there is no event ${JSON.stringify(given)}; ${known}`)
}

async function makeUp(context: ServiceContext, tenant: Tenant, type: string): Promise<string> {
  const example = assertDefined(exampleOf(type, context.ids), `${type} has no example`)
  await context.database.transaction(async (tx) => {
    await publish(tx, context, tenant, { type, ...example })
    await recordAct(
      tx,
      context,
      { ...tenant, kind: 'system', name: 'cli trigger' },
      {
        action: 'event.make_up',
        objectKind: 'event',
        objectId: example.objectId,
        detail: { type },
      },
    )
  })
  return example.objectId
}
