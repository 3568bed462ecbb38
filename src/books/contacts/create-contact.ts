import type { z } from 'zod'
import type { Actor, KeyActor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { answer } from '../../kernel/http/route.ts'
import { claimIdempotencyKey } from '../../kernel/operations/idempotency.ts'
import { idempotencyKeyHeader } from '../../kernel/operations/schemas.ts'
import { validated } from '../../kernel/operations/validate.ts'
import { publish } from '../../kernel/webhooks/event.ts'
import { type BooksContext, defineHandledRoute } from '../context.ts'
import { requireDefaults } from '../input/require-defaults.ts'
import { requireRole } from '../operations/permissions.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import {
  type Contact,
  contactEventData,
  contactInput,
  contactSchema,
  personContactInput,
  presentContact,
} from './contact.ts'
import { findContact, insertContact, listContactIdsByName } from './contact-store.ts'

export const createContact = defineHandledRoute({
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
  return addContact(tx, context, actor, id, {
    name: input.name,
    isCustomer: input.is_customer,
    isSupplier: input.is_supplier,
    email: input.email || null,
    phone: input.phone || null,
    taxNumber: input.tax_number || null,
  })
}

// The same for a person in the application, who may say more.
export async function createContactInApplication(
  context: BooksContext,
  actor: Actor,
  input: z.input<typeof personContactInput>,
): Promise<Contact> {
  requireRole(actor, 'write')
  const wanted = validated(personContactInput, input)
  return context.database.transaction(async (tx) => {
    return addContact(tx, context, actor, context.ids.uuid(), wanted)
  })
}

// Two customers may have one name, so nothing is refused. Whoever types it may not know of the
// other.
export async function enterContact(
  context: BooksContext,
  actor: Actor,
  input: z.input<typeof personContactInput>,
): Promise<Contact & { readonly warnings: readonly string[] }> {
  const contact = await createContactInApplication(context, actor, input)
  const { id, name } = contact
  const named = await listContactIdsByName(context.database.sql, actor, name)
  const others = named.filter((one) => one !== id)
  const warning = `There is another contact named ${name}: ${others.join(', ')}.`
  return { ...contact, warnings: others.length > 0 ? [warning] : [] }
}

// The input is what `personContactInput` gives back.
async function addContact(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  id: string,
  wanted: z.output<typeof personContactInput>,
): Promise<Contact> {
  await requireDefaults(tx, actor, wanted)
  const organisation = await findOrganisation(tx, actor)
  const contact: Contact = {
    id,
    name: wanted.name,
    isCustomer: wanted.isCustomer ?? true,
    isSupplier: wanted.isSupplier ?? false,
    email: wanted.email ?? null,
    phone: wanted.phone ?? null,
    taxNumber: wanted.taxNumber ?? null,
    currency: wanted.currency ?? null,
    paymentTermsDays: wanted.paymentTermsDays ?? organisation.defaultPaymentTermsDays,
    address: wanted.address ?? null,
    salesAccountId: wanted.salesAccountId ?? null,
    purchaseAccountId: wanted.purchaseAccountId ?? null,
    salesTaxCodeId: wanted.salesTaxCodeId ?? null,
    purchaseTaxCodeId: wanted.purchaseTaxCodeId ?? null,
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
