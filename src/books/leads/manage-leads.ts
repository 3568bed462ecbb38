// What people do with leads. Each is one transaction.
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { Fault, invalidField, notFound } from '../../kernel/basics/fault.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import {
  currencyCode,
  emailAddress,
  line,
  optionalText,
  uuid,
} from '../../kernel/operations/schemas.ts'
import { validated } from '../../kernel/operations/validate.ts'
import { publish } from '../../kernel/webhooks/event.ts'
import { findContact } from '../contacts/contact-store.ts'
import { amountText, minorOf } from '../input/amount-input.ts'
import { requireRole } from '../operations/permissions.ts'
import { isOpen, type Lead, leadEventData, openLeadStatuses } from './lead.ts'
import { insertLead, lockLead, updateLead } from './lead-store.ts'

export const leadInput = z.strictObject({
  name: line(160),
  company: line(160).nullable().default(null),
  email: emailAddress().nullable().default(null),
  phone: line(50).nullable().default(null),
  notes: optionalText(4000).nullable().default(null),
  // What it may be worth, in major units.
  value: amountText().nullable().default(null),
  currency: currencyCode(),
})
export type LeadInput = z.input<typeof leadInput>

export const leadMoveInput = z.strictObject({ status: z.enum(openLeadStatuses) })
export const leadWinInput = z.strictObject({ contactId: uuid().nullable().default(null) })
export const leadLossInput = z.strictObject({ reason: line(500).nullable().default(null) })

export async function createLead(context: Context, actor: Actor, input: LeadInput): Promise<Lead> {
  requireRole(actor, 'write')
  const now = context.clock.now()
  const lead: Lead = {
    id: context.ids.uuid(),
    status: 'new',
    ...readLead(input),
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
  return change(context, actor, id, 'lead.edit', async () => readLead(input))
}

// Any step forward or back; what is won or lost is not moved this way.
export function moveLead(
  context: Context,
  actor: Actor,
  id: string,
  input: z.input<typeof leadMoveInput>,
): Promise<Lead> {
  return change(context, actor, id, 'lead.move', async () => validated(leadMoveInput, input))
}

// The contact is the customer that the lead has become; a lead can be won before there is one.
export function winLead(
  context: Context,
  actor: Actor,
  id: string,
  input: z.input<typeof leadWinInput> = {},
): Promise<Lead> {
  return change(context, actor, id, 'lead.win', async (tx, lead) => {
    const { contactId } = validated(leadWinInput, input)
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
  input: z.input<typeof leadLossInput> = {},
): Promise<Lead> {
  return change(context, actor, id, 'lead.lose', async () => ({
    status: 'lost',
    lostReason: validated(leadLossInput, input).reason,
  }))
}

function readLead(input: LeadInput) {
  const { value, ...lead } = validated(leadInput, input)
  return { ...lead, valueMinor: value === null ? null : minorOf('value', value, lead.currency) }
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
