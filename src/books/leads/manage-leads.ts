// What people do with leads. Each is one transaction.
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { Fault, invalidField, notFound } from '../../kernel/basics/fault.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { currencyCode, emailAddress, line, optionalText } from '../../kernel/http/schemas.ts'
import { publish } from '../../kernel/webhooks/event.ts'
import { findContact } from '../contacts/contact-store.ts'
import { requireRole } from '../permissions.ts'
import { isOpen, type Lead, leadEventData, type OpenLeadStatus, openLeadStatuses } from './lead.ts'
import { insertLead, lockLead, updateLead } from './lead-store.ts'

export const leadInput = z.strictObject({
  name: line(160),
  company: line(160).nullable(),
  email: emailAddress().nullable(),
  phone: line(50).nullable(),
  notes: optionalText(4000).nullable(),
  valueMinor: z.bigint().min(0n).nullable(),
  currency: currencyCode(),
})
export type LeadInput = z.output<typeof leadInput>

export async function createLead(context: Context, actor: Actor, input: LeadInput): Promise<Lead> {
  requireRole(actor, 'write')
  const now = context.clock.now()
  const lead: Lead = {
    id: context.ids.uuid(),
    status: 'new',
    ...input,
    contactId: null,
    quoteId: null,
    lostReason: null,
    createdAt: now,
    updatedAt: now,
  }
  return context.database.transaction(async (tx) => {
    await insertLead(tx, actor, lead)
    await record(tx, context, actor, lead, 'lead.create')
    return lead
  })
}

export function editLead(
  context: Context,
  actor: Actor,
  id: string,
  input: LeadInput,
): Promise<Lead> {
  return change(context, actor, id, 'lead.edit', async () => input)
}

// Any step forward or back; what is won or lost is not moved this way.
export function moveLead(
  context: Context,
  actor: Actor,
  id: string,
  status: OpenLeadStatus,
): Promise<Lead> {
  if (!openLeadStatuses.includes(status)) {
    throw invalidField('status', `Must be one of: ${openLeadStatuses.join(', ')}.`)
  }
  return change(context, actor, id, 'lead.move', async () => ({ status }))
}

// The contact is the customer that the lead has become; a lead can be won before there is one.
export function winLead(
  context: Context,
  actor: Actor,
  id: string,
  contactId: string | null,
): Promise<Lead> {
  return change(context, actor, id, 'lead.win', async (tx, lead) => {
    if (contactId !== null && !(await findContact(tx, actor, contactId))) {
      throw invalidField('contact_id', 'No such contact in these books.')
    }
    return { status: 'won', contactId: contactId ?? lead.contactId }
  })
}

export function loseLead(
  context: Context,
  actor: Actor,
  id: string,
  reason: string | null,
): Promise<Lead> {
  return change(context, actor, id, 'lead.lose', async () => ({
    status: 'lost',
    lostReason: reason,
  }))
}

async function change(
  context: Context,
  actor: Actor,
  id: string,
  action: string,
  changes: (tx: Tx, lead: Lead) => Promise<Partial<Lead>>,
): Promise<Lead> {
  requireRole(actor, 'write')
  return context.database.transaction(async (tx) => {
    const lead = await requireOpenLead(tx, actor, id)
    const changed = { ...lead, ...(await changes(tx, lead)), updatedAt: context.clock.now() }
    await updateLead(tx, actor, changed)
    await record(tx, context, actor, changed, action)
    if (changed.status === 'won') await publishWon(tx, context, actor, changed)
    return changed
  })
}

export async function requireOpenLead(tx: Tx, actor: Actor, id: string): Promise<Lead> {
  const lead = await lockLead(tx, actor, id)
  if (!lead) throw notFound('lead')
  if (!isOpen(lead)) throw new Fault('conflict', `The lead is ${lead.status} and stays so.`)
  return lead
}

async function publishWon(tx: Tx, context: Context, actor: Actor, lead: Lead): Promise<void> {
  await publish(tx, context, actor, {
    service: 'books',
    type: 'lead.won',
    objectId: lead.id,
    data: leadEventData(lead),
  })
}

async function record(
  tx: Tx,
  context: Context,
  actor: Actor,
  lead: Lead,
  action: string,
): Promise<void> {
  const { id: objectId, status, name } = lead
  await recordAct(tx, context, actor, {
    action,
    objectKind: 'lead',
    objectId,
    detail: { status, name },
  })
}
