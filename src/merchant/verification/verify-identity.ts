// The identity check of an owner, on the verifier's page. Three steps, so that no transaction is
// open while we wait for the verifier:
//   reserve: name the owner and the attempt;
//   execute: ask the verifier for its page, with the reference of the attempt;
//   settle: when the browser returns, ask the verifier for the result. The browser's own word
//            does not count.
// A crash in between loses nothing: pressing the button again asks with the same reference, and
// gets the same page.
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { MerchantContext } from '../context.ts'
import { type Opened, readDossier } from './open-verification.ts'
import { type IdentityStatus, identityReference } from './session.ts'
import { updateSession } from './session-store.ts'
import { type Closed, recordStep, whileOpen } from './update-dossier.ts'

export type StartedCheck =
  | { readonly kind: 'hand_over'; readonly url: string }
  | { readonly kind: 'passed' }
  | { readonly kind: 'no_owner' }
  | { readonly kind: 'unreachable' }

export async function startIdentityCheck(
  context: MerchantContext,
  opened: Opened,
  ownerId: string,
): Promise<StartedCheck | Closed> {
  const { tenant, path } = opened
  const reserved = await whileOpen(context, opened, async (tx, session) => {
    const { owners } = await readDossier(context, tx, tenant)
    const owner = owners.find(({ id }) => id === ownerId)
    if (!owner) return 'no_owner'
    if (session.identityStatus === 'passed') return 'passed'
    const continues = session.identityStatus === 'waiting' && session.identityOwnerId === ownerId
    if (continues) return { reference: identityReference(session), personName: owner.name }
    const change = {
      identityOwnerId: ownerId,
      identityAttempts: session.identityAttempts + 1,
      identityStatus: 'waiting',
      updatedAt: context.clock.now(),
    } as const
    await updateSession(tx, tenant, session.id, change)
    const detail = { owner: ownerId, attempt: change.identityAttempts }
    await recordStep(tx, context, opened, 'verification.start_identity_check', detail)
    return { reference: identityReference({ ...session, ...change }), personName: owner.name }
  })
  if (reserved === 'closed') return reserved
  if (reserved === 'no_owner' || reserved === 'passed') return { kind: reserved }
  const verifier = await context.verifierFor(tenant)
  const returnUrl = `${context.publicUrl}${path}/identity/return`
  const outcome = await verifier.startIdentityCheck({ ...reserved, returnUrl })
  if (outcome.kind !== 'success') return { kind: 'unreachable' }
  return { kind: 'hand_over', url: outcome.value.url }
}

export async function finishIdentityCheck(
  context: MerchantContext,
  opened: Opened,
): Promise<IdentityStatus | Closed> {
  const { tenant, session } = opened
  if (session.identityStatus !== 'waiting') return session.identityStatus
  const reference = identityReference(session)
  const verifier = await context.verifierFor(tenant)
  const outcome = await verifier.findIdentityCheck(reference)
  const verdict = outcome.kind === 'success' ? outcome.value : null
  if (verdict === null || verdict === 'waiting') return 'waiting'
  return whileOpen(context, opened, async (tx, now) => {
    // Another attempt was started meanwhile, or this one was finished.
    if (now.identityStatus !== 'waiting' || identityReference(now) !== reference) {
      return now.identityStatus
    }
    const change = { identityStatus: verdict, updatedAt: context.clock.now() }
    await updateSession(tx, tenant, now.id, change)
    const owner = assertDefined(now.identityOwnerId, 'a check without an owner')
    const detail = { owner, attempt: now.identityAttempts, verdict }
    await recordStep(tx, context, opened, 'verification.finish_identity_check', detail)
    return verdict
  })
}
