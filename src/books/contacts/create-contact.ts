import type { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { answer, replayHeader, withReplay } from '../../kernel/http/route.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { idempotencyKeyHeader } from '../../kernel/operations/schemas.ts'
import { publish } from '../../kernel/webhooks/event.ts'
import { type BooksContext, defineOperation, defineRoute } from '../context.ts'
import { requireDefaults } from '../input/require-defaults.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import {
  type Contact,
  contactBody,
  contactEventData,
  contactInput,
  contactSchema,
  presentContact,
} from './contact.ts'
import { findContact, insertContact, listContactIdsByName } from './contact-store.ts'

export const createContact = defineOperation({
  name: 'create-contact',
  summary: 'Add a customer or supplier',
  kind: 'write',
  input: contactInput,
  scopes: ['write'],
  roles: writerRoles,
  idempotency: {
    name: 'contacts',
    async replay({ database: { sql } }, actor, id) {
      const contact = await findContact(sql, actor, id)
      return withWarnings(sql, actor, assertDefined(contact, 'an idempotent contact vanished'))
    },
  },
  async run(context, actor, input): Promise<CreatedContact> {
    return context.database.transaction(async (tx) => {
      const id = context.ids.uuid()
      await context.call.claimKey(tx, id)
      return withWarnings(tx, actor, await addContact(tx, context, actor, id, input))
    })
  },
})

export type CreatedContact = Contact & { readonly warnings: readonly string[] }

export const createContactRoute = defineRoute({
  operation: createContact,
  method: 'POST',
  path: '/contacts',
  operationId: 'createContact',
  tag: 'Contacts',
  description:
    'With an `Idempotency-Key`, a repeat returns the contact that the first call made, also if ' +
    'its body differs; the audit log then records the difference. ' +
    'Sends `contact.created`.',
  headers: idempotencyKeyHeader(1, 255),
  body: contactBody,
  responses: {
    201: { description: 'The new contact.', schema: contactSchema, headers: replayHeader },
  },
  input: ({ body }) => ({
    name: body.name,
    isCustomer: body.is_customer,
    isSupplier: body.is_supplier,
    email: body.email || null,
    phone: body.phone || null,
    taxNumber: body.tax_number || null,
  }),
  idempotencyKey: ({ headers }) => headers['idempotency-key'],
  answer: (contact, _context, _request, outcome) =>
    withReplay(answer(201, presentContact(contact)), outcome),
})

// Also for imports. The input has passed `contactInput`.
export async function addContact(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  id: string,
  wanted: z.output<typeof contactInput>,
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
    timeZone: wanted.timeZone ?? null,
    language: wanted.language ?? null,
    salesAccountId: wanted.salesAccountId ?? null,
    purchaseAccountId: wanted.purchaseAccountId ?? null,
    salesTaxCodeId: wanted.salesTaxCodeId ?? null,
    purchaseTaxCodeId: wanted.purchaseTaxCodeId ?? null,
    active: true,
    mergedInto: null,
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

// Two contacts can have the same name, so nothing is refused. People get a warning; keys get none,
// so the names are not looked up for them.
async function withWarnings(
  sql: Sql | Tx,
  actor: Actor,
  contact: Contact,
): Promise<CreatedContact> {
  if (actor.kind === 'key') return { ...contact, warnings: [] }
  const { id, name } = contact
  const named = await listContactIdsByName(sql, actor, name)
  const others = named.filter((one) => one !== id)
  const warning = `There is another contact named ${name}: ${others.join(', ')}.`
  return { ...contact, warnings: others.length > 0 ? [warning] : [] }
}
