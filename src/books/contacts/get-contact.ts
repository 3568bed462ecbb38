import { z } from 'zod'
import { notFound } from '../../kernel/basics/fault.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { listOpenItems } from '../payments/open-item-store.ts'
import { listReminderStops, type ReminderStop } from '../reminders/reminder-stop-store.ts'
import type { Contact } from './contact.ts'
import { findContact } from './contact-store.ts'

export type ContactView = Contact & {
  // What is open between us, per currency: what they owe us is positive.
  readonly balances: readonly { readonly currency: string; readonly openMinor: bigint }[]
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
    const [items, [pause]] = await Promise.all([
      listOpenItems(sql, actor, id),
      listReminderStops(sql, actor, { contactId: id }),
    ])
    const ofCurrency = Map.groupBy(items, ({ currency }) => currency)
    const balances = [...ofCurrency].map(([currency, own]) => ({
      currency,
      openMinor: own.reduce((sum, { openMinor }) => sum + openMinor, 0n),
    }))
    return { ...contact, balances, pause }
  },
})
