// Registers a recipient with the provider in three steps, so that no transaction is open while we
// wait for it:
//   reserve: the row with its unique reference, claimed by the process that registers it;
//   execute: ask the provider for the sub-account;
//   settle: store its id, or delete the row if the provider definitely refused.
// The provider accepts no reference for a sub-account, but a bank account has only one: that is how
// it is found again after a lost answer or a crash, and adopted. So it is sent again only if a
// lookup finds none.
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { addSeconds } from '../../kernel/basics/clock.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { findAccount } from '../business/business-store.ts'
import type { MerchantContext } from '../context.ts'
import type { Provider, SubaccountFact, SubaccountInstruction } from '../provider/provider.ts'
import {
  claimSeconds,
  isRegisteredElsewhere,
  mayBeSentAgain,
  nextLookAfter,
  type Recipient,
  subaccountInstruction,
} from './recipient.ts'
import {
  deleteUnregisteredRecipient,
  findRecipient,
  lockRecipient,
  updateRecipient,
  updateRecipientClaim,
  updateRecipientSent,
} from './recipient-store.ts'
import { resolveUnresolvedRecipient } from './record-unresolved-recipient.ts'

export type Registration =
  | { readonly kind: 'registered'; readonly recipient: Recipient }
  // The row is deleted and its reference can be used again.
  | { readonly kind: 'refused' }
  // The resolver finishes it.
  | { readonly kind: 'unknown' }
  // Another process is registering it.
  | { readonly kind: 'busy' }

type Attempt = {
  readonly context: MerchantContext
  readonly actor: Actor
  readonly provider: Provider
  readonly recipient: Recipient
  readonly instruction: SubaccountInstruction
}

// For a new row, which is claimed and counted as sent.
export async function registerNew(
  context: MerchantContext,
  actor: Actor,
  recipient: Recipient,
): Promise<Registration> {
  return send(await attempt(context, actor, recipient))
}

// For an existing row with an unknown outcome: a repeat of the call, or the resolver.
export async function registerAgain(
  context: MerchantContext,
  actor: Actor,
  id: string,
): Promise<Registration> {
  const { sql } = context.database
  const now = context.clock.now()
  const until = addSeconds(now, claimSeconds)
  const claimed = await updateRecipientClaim(sql, actor, id, { now, until })
  if (!claimed) {
    const found = await findRecipient(sql, actor, id)
    if (!found) return { kind: 'refused' }
    return found.subaccountId ? { kind: 'registered', recipient: found } : { kind: 'busy' }
  }
  const step = await attempt(context, actor, claimed)
  const found = await look(step)
  if (found === 'unknown') return release(step)
  if (found) return settle(step, found)
  if (!mayBeSentAgain(claimed, now)) return release(step)
  await updateRecipientSent(sql, actor, id, now)
  return send(step)
}

async function attempt(
  context: MerchantContext,
  actor: Actor,
  recipient: Recipient,
): Promise<Attempt> {
  const account = await findAccount(context.database.sql, actor.businessId)
  const { country } = assertDefined(account, 'a recipient of no business')
  const provider = await context.providerFor(actor)
  const instruction = subaccountInstruction(recipient, context.secrets, country)
  return { context, actor, provider, recipient, instruction }
}

// A bank account that already has its sub-account (of another recipient, or of a first send whose
// answer was lost) is refused too, so the provider's list decides.
async function send(step: Attempt): Promise<Registration> {
  const { context, provider, instruction } = step
  const outcome = await provider.createSubaccount(instruction)
  context.failpoint('recipient.sent')
  if (outcome.kind === 'success') return settle(step, outcome.value)
  const found = await look(step)
  if (found === 'unknown') return release(step)
  if (found) return settle(step, found)
  return outcome.kind === 'refused' ? drop(step, outcome.reason) : release(step)
}

async function look({
  provider,
  instruction,
}: Attempt): Promise<SubaccountFact | null | 'unknown'> {
  const outcome = await provider.findSubaccount(instruction)
  return outcome.kind === 'success' ? outcome.value : 'unknown'
}

async function settle(step: Attempt, fact: SubaccountFact): Promise<Registration> {
  const { context } = step
  const registered = await context.database.transaction((tx) => settleIn(tx, step, fact))
  context.failpoint('recipient.settled')
  return registered
}

async function settleIn(
  tx: Tx,
  { context, actor, provider, recipient }: Attempt,
  { subaccountId, accountName }: SubaccountFact,
): Promise<Registration> {
  const { id } = recipient
  const now = await lockRecipient(tx, actor, id)
  // If this process held the claim for too long, another may have finished it.
  if (!now) return { kind: 'refused' }
  if (now.subaccountId !== null) return { kind: 'registered', recipient: now }
  const changes = {
    subaccountId,
    provider: provider.name,
    accountName,
    claimedUntil: null,
    nextLookAt: null,
    updatedAt: context.clock.now(),
  }
  await updateRecipient(tx, actor, id, changes)
  await recordAct(tx, context, actor, {
    action: 'split_recipient.register',
    objectKind: 'split_recipient',
    objectId: id,
    detail: { subaccountId },
  })
  await resolveUnresolvedRecipient(tx, context, actor, id, 'the provider has registered it')
  context.failpoint('recipient.settling')
  return { kind: 'registered', recipient: { ...now, ...changes } }
}

async function drop(step: Attempt, reason: string): Promise<Registration> {
  const { context, actor, recipient } = step
  const { id, externalReference } = recipient
  await context.database.transaction(async (tx) => {
    if (isRegisteredElsewhere(recipient)) await updateRecipient(tx, actor, id, notAsked)
    else if (!(await deleteUnregisteredRecipient(tx, actor, id))) return
    await recordAct(tx, context, actor, {
      action: 'split_recipient.refuse',
      objectKind: 'split_recipient',
      objectId: id,
      detail: { externalReference, reason },
    })
    await resolveUnresolvedRecipient(tx, context, actor, id, 'the provider refused it')
  })
  return { kind: 'refused' }
}

const notAsked = { sends: 0, sentAt: null, claimedUntil: null, nextLookAt: null }

async function release({ context, actor, recipient }: Attempt): Promise<Registration> {
  const nextLookAt = nextLookAfter(recipient, context.clock.now())
  await context.database.transaction(async (tx) => {
    const now = await lockRecipient(tx, actor, recipient.id)
    if (!now || now.subaccountId !== null) return
    await updateRecipient(tx, actor, recipient.id, { claimedUntil: null, nextLookAt })
  })
  return { kind: 'unknown' }
}
