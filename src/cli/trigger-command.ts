// Makes something happen of which receivers are told, in the sandbox. Never live: there, what is
// real would move money, and what is not would have shops send goods that nobody has paid for.
import { createContact } from '../books/contacts/create-contact.ts'
import { recordAct } from '../kernel/auth/audit-log.ts'
import { assertDefined } from '../kernel/basics/assert.ts'
import type { Tenant } from '../kernel/basics/tenant.ts'
import type { ServiceContext } from '../kernel/http/service.ts'
import { publish } from '../kernel/webhooks/event.ts'
import { merchantEventTypes } from '../merchant/reference/get-reference.ts'
import { type Command, jsonUsage, print, printJson, UsageError } from './command.ts'
import { knownEventTypes } from './event-types.ts'
import { exampleOf } from './example-events.ts'
import { findMeantBusiness, meantBusinessUsage } from './meant-business.ts'
import { callRoute, findTriggerKey } from './trigger-key.ts'
import { triggerPayment } from './trigger-payment.ts'

type Act = (context: ServiceContext, tenant: Tenant) => Promise<string>

// What can really be done; each answers the id of what it is about.
const acts: Readonly<Record<string, Act>> = {
  'payment.succeeded': (context, tenant) => triggerPayment(context, tenant, 'paid'),
  'payment.failed': (context, tenant) => triggerPayment(context, tenant, 'declined'),
  'payment.refunded': (context, tenant) => triggerPayment(context, tenant, 'refunded'),
  'contact.created': addContact,
}

const isReal = (type: string) => Object.hasOwn(acts, type)

export const trigger: Command = {
  name: 'trigger',
  argument: 'event',
  summary: 'Make an event happen in the sandbox, for trying out what receives it',
  usage: [
    meantBusinessUsage,
    jsonUsage,
    '',
    'Really done, as your program and a payer would:',
    ...knownEventTypes.filter(isReal).map((type) => `  ${type}`),
    'Made up, with `example: true` in the data:',
    ...knownEventTypes.filter((type) => !isReal(type)).map((type) => `  ${type}`),
  ],
  options: {
    business: { type: 'string' },
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

async function addContact(context: ServiceContext, tenant: Tenant): Promise<string> {
  const actor = await findTriggerKey(context, tenant, 'books')
  const body = { name: 'A contact of cli trigger', email: 'contact@example.com' }
  return String((await callRoute(createContact, context, actor, { body })).id)
}

async function makeUp(context: ServiceContext, tenant: Tenant, type: string): Promise<string> {
  const { ids, clock } = context
  const example = assertDefined(exampleOf(type, ids, clock.now()), `${type} has no example`)
  const service = (merchantEventTypes as readonly string[]).includes(type) ? 'merchant' : 'books'
  await context.database.transaction(async (tx) => {
    await publish(tx, context, tenant, { service, type, ...example })
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
