import { z } from 'zod'
import { notFound } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql } from '../../kernel/db/database.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { listOpenItems } from '../payments/open-item-store.ts'
import { listReminderStops, type ReminderStop } from '../reminders/reminder-stop-store.ts'
import type { Contact } from './contact.ts'
import { findContact } from './contact-store.ts'
import { listMergedInto } from './merged-contact-store.ts'

// What is open between us in a currency: what they owe us is positive.
export type ContactBalance = { readonly currency: string; readonly openMinor: bigint }

export type ContactView = Contact & {
  readonly balances: readonly ContactBalance[]
  // Those that were merged into it.
  readonly merged: readonly Pick<Contact, 'id' | 'name'>[]
  // Set while it is not reminded.
  readonly pause: ReminderStop | undefined
}

export const getContact = defineOperation({
  name: 'get-contact',
  summary: 'Show a customer or supplier with what is open',
  kind: 'read',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql } }, actor, { id }): Promise<ContactView> {
    const contact = await findContact(sql, actor, id)
    if (!contact) throw notFound('contact')
    const [balances, merged, [pause]] = await Promise.all([
      readBalances(sql, actor, id),
      listMergedInto(sql, actor, contact.id),
      listReminderStops(sql, actor, { contactId: id }),
    ])
    const former = merged.map(({ id: own, name }) => ({ id: own, name }))
    return { ...contact, balances, merged: former, pause }
  },
})

export async function readBalances(
  sql: Sql,
  tenant: Tenant,
  contactId: string,
): Promise<ContactBalance[]> {
  const items = await listOpenItems(sql, tenant, contactId)
  const ofCurrency = Map.groupBy(items, ({ currency }) => currency)
  return [...ofCurrency].map(([currency, own]) => ({
    currency,
    openMinor: own.reduce((sum, { openMinor }) => sum + openMinor, 0n),
  }))
}
