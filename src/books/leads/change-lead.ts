// The frame of every change to a lead: the lead is locked and still open, and the audit log names
// the actor.
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { Fault, notFound } from '../../kernel/basics/fault.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { isOpen, type Lead } from './lead.ts'
import { lockLead, updateLead } from './lead-store.ts'

export async function changeLead(
  tx: Tx,
  context: Context,
  actor: Actor,
  id: string,
  action: string,
  changes: (lead: Lead) => Partial<Lead> | Promise<Partial<Lead>>,
): Promise<Lead> {
  const lead = await requireOpenLead(tx, actor, id)
  const changed = { ...lead, ...(await changes(lead)), updatedAt: context.clock.now() }
  await updateLead(tx, actor, changed)
  await recordLeadAct(tx, context, actor, changed, action)
  return changed
}

export async function requireOpenLead(tx: Tx, actor: Actor, id: string): Promise<Lead> {
  const lead = await lockLead(tx, actor, id)
  if (!lead) throw notFound('lead')
  if (!isOpen(lead))
    throw new Fault('conflict', `The lead is ${lead.status} and can no longer change.`)
  return lead
}

export async function recordLeadAct(
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
