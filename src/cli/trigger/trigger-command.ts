// Makes something happen of which receivers are told, in the sandbox. Never live: there, what is
// real would move money, and what is not would have shops send goods that nobody has paid for.
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

// What can really be done.
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
  summary: 'Make an event happen in the sandbox, for trying out what receives it',
  usage: [
    businessUsage,
    '--test                 may be said; it always is the sandbox',
    jsonUsage,
    '',
    'Really done, as your program and a payer would:',
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
      print('It is made up: nothing has this id, and `example` in its data says so.')
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
