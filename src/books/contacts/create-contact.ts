import { z } from 'zod'
import type { KeyActor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { claimIdempotencyKey } from '../../kernel/http/idempotency.ts'
import { answer } from '../../kernel/http/route.ts'
import {
  idempotencyKeyHeader,
  line,
  optionalEmailAddress,
  optionalLine,
} from '../../kernel/http/schemas.ts'
import { publish } from '../../kernel/webhooks/event.ts'
import { type BooksContext, defineRoute } from '../context.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { type Contact, contactEventData, contactSchema, presentContact } from './contact.ts'
import { findContact, insertContact } from './contact-store.ts'

const nameMax = 160

const contactInput = z.strictObject({
  name: line(nameMax),
  email: optionalEmailAddress().optional(),
  phone: optionalLine(50).optional(),
  tax_number: optionalLine(50).optional(),
  is_customer: z.boolean().default(true),
  is_supplier: z.boolean().default(false),
})

export const createContact = defineRoute({
  method: 'POST',
  path: '/contacts',
  operationId: 'createContact',
  tag: 'Contacts',
  summary: 'Add a customer or supplier',
  description:
    'With an `Idempotency-Key`, a repeat returns the contact that the first call made. ' +
    'Sends `contact.created`.',
  scopes: ['write'],
  headers: idempotencyKeyHeader(1, 255),
  body: contactInput,
  responses: { 201: { description: 'The new contact.', schema: contactSchema } },
  async handle(context, { actor, headers, body }) {
    const contact = await context.database.transaction((tx) =>
      create(tx, context, actor, headers['idempotency-key'], body),
    )
    return answer(201, presentContact(contact))
  },
})

async function create(
  tx: Tx,
  context: BooksContext,
  actor: KeyActor,
  key: string | undefined,
  input: z.output<typeof contactInput>,
): Promise<Contact> {
  const id = context.ids.uuid()
  const earlierId = await claimIdempotencyKey(
    tx,
    context,
    actor,
    { operation: 'contacts', key },
    id,
  )
  if (earlierId) {
    return assertDefined(await findContact(tx, actor, earlierId), 'an idempotent contact vanished')
  }
  const organisation = await findOrganisation(tx, actor)
  const contact: Contact = {
    id,
    name: input.name,
    isCustomer: input.is_customer,
    isSupplier: input.is_supplier,
    email: input.email || null,
    phone: input.phone || null,
    taxNumber: input.tax_number || null,
    currency: null,
    paymentTermsDays: organisation.defaultPaymentTermsDays,
    active: true,
    createdAt: context.clock.now(),
  }
  await insertContact(tx, actor, contact)
  await publish(tx, context, actor, {
    service: 'books',
    type: 'contact.created',
    objectId: id,
    data: contactEventData(contact),
  })
  await recordAct(tx, context, actor, {
    action: 'contact.create',
    objectKind: 'contact',
    objectId: id,
  })
  return contact
}
