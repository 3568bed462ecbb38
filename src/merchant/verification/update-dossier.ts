// Changes the owner makes to the dossier. Every change locks the session, so that two windows take
// turns, and no change is possible after submission.

import { createHash } from 'node:crypto'
import type { SystemActor } from '../../kernel/auth/actor.ts'
import { type ActDetail, recordAct } from '../../kernel/auth/audit-log.ts'
import { cleanFileName, fileTypeOf } from '../../kernel/basics/file-type.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { MerchantContext } from '../context.ts'
import type { Details } from './details.ts'
import { type DocumentKind, documentBytesMax, documentRow, documentsMax } from './document.ts'
import { deleteDraft, insertDocument, listDocuments, updateRemoved } from './document-store.ts'
import {
  deleteOwner,
  insertOrUpdateDetails,
  insertOwner,
  listOwners,
  updateOwner,
} from './dossier-store.ts'
import { type FieldProblems, hasProblems } from './form-values.ts'
import { type Opened, readDossier } from './open-verification.ts'
import { type OwnerFields, type OwnerName, ownerRow, ownersMax, readOwner } from './owner.ts'
import { isExpired, type Session } from './session.ts'
import { lockKycStatus, lockSession, updateSession } from './session-store.ts'

// 'closed' if the session has ended: the page then shows the result.
export type Closed = 'closed'

export async function whileOpen<Result>(
  context: MerchantContext,
  { tenant, session }: Opened,
  work: (tx: Tx, session: Session) => Promise<Result>,
): Promise<Result | Closed> {
  return context.database.transaction(async (tx) => {
    // Always lock the business before the session, or two calls could deadlock.
    await lockKycStatus(tx, tenant.businessId)
    const now = await lockSession(tx, tenant, session.id)
    if (now?.status !== 'open' || isExpired(now, context.clock.now())) return 'closed'
    return work(tx, now)
  })
}

export async function saveDetails(
  context: MerchantContext,
  opened: Opened,
  details: Details,
): Promise<void> {
  await whileOpen(context, opened, async (tx) => {
    await insertOrUpdateDetails(tx, opened.tenant, details, context.clock.now())
    await recordStep(tx, context, opened, 'verification.save_details')
  })
}

type Uploaded = { readonly name: string; readonly bytes: Buffer }

// For a refused file, returns a sentence that says what to do.
export async function addDocument(
  context: MerchantContext,
  opened: Opened,
  kind: DocumentKind,
  { name, bytes }: Uploaded,
): Promise<string | undefined | Closed> {
  const contentType = fileTypeOf(bytes)
  if (bytes.length === 0) return 'Choose a file first.'
  if (bytes.length > documentBytesMax) return tooLarge
  if (!contentType) return 'Choose a PDF, PNG or JPEG file. This file has another format.'
  const { tenant } = opened
  const sha256 = createHash('sha256').update(bytes).digest()
  const id = context.ids.uuid()
  const sealed = context.secrets.seal(bytes, documentRow(id))
  return whileOpen(context, opened, async (tx) => {
    const known = await listDocuments(tx, tenant)
    // The button was pressed twice.
    if (known.some((other) => other.kind === kind && other.sha256.equals(sha256))) return undefined
    if (known.length >= documentsMax) {
      return `You can upload at most ${documentsMax} documents. Remove one first.`
    }
    const uploadedAt = context.clock.now()
    const fileName = cleanFileName(name)
    const byteCount = bytes.length
    const document = { id, kind, fileName, contentType, byteCount, sha256, submittedAt: null }
    await insertDocument(tx, tenant, { ...document, uploadedAt }, sealed)
    const detail = { document: id, kind, content_type: contentType, bytes: byteCount }
    await recordStep(tx, context, opened, 'verification.add_document', detail)
    return undefined
  })
}

export const tooLarge = `Choose a file of at most ${documentBytesMax / 1024 / 1024} MB.`

export async function removeDocument(
  context: MerchantContext,
  opened: Opened,
  id: string,
): Promise<void> {
  const { tenant } = opened
  await whileOpen(context, opened, async (tx) => {
    const known = (await listDocuments(tx, tenant)).find((document) => document.id === id)
    if (!known) return
    if (known.submittedAt) await updateRemoved(tx, tenant, id, context.clock.now())
    else await deleteDraft(tx, tenant, id)
    await recordStep(tx, context, opened, 'verification.remove_document', { document: id })
  })
}

export type SavedOwner = FieldProblems<OwnerName> | { readonly full: true } | undefined

// Changes the owner with this id, or adds a new one.
export async function saveOwner(
  context: MerchantContext,
  opened: Opened,
  form: URLSearchParams,
): Promise<SavedOwner | Closed> {
  const { tenant } = opened
  return whileOpen(context, opened, async (tx, session) => {
    const { owners } = await readDossier(context, tx, tenant)
    const known = owners.find(({ id }) => id === form.get('id'))
    const others = owners.filter((owner) => owner !== known)
    const othersShare = others.reduce((sum, owner) => sum + owner.shareBasisPoints, 0)
    const owner = readOwner(form, context.clock.now(), othersShare)
    if (hasProblems(owner)) return owner
    // A form that was sent twice.
    if (!known && others.some((other) => isSamePerson(other, owner))) return undefined
    if (!known && others.length >= ownersMax) return { full: true }
    const { bornOn, ...fields } = owner
    const id = known?.id ?? context.ids.uuid()
    const sealed = { id, ...fields, bornOnSealed: context.secrets.seal(bornOn, ownerRow(id)) }
    if (known) await updateOwner(tx, tenant, sealed)
    else await insertOwner(tx, tenant, { ...sealed, createdAt: context.clock.now() })
    if (known && !isSamePerson(known, owner)) await forgetIdentity(tx, context, opened, session, id)
    await recordStep(tx, context, opened, 'verification.save_owner', { owner: id })
    return undefined
  })
}

function isSamePerson(one: OwnerFields, other: OwnerFields): boolean {
  return one.name === other.name && one.bornOn === other.bornOn
}

export async function removeOwner(
  context: MerchantContext,
  opened: Opened,
  id: string,
): Promise<void> {
  const { tenant } = opened
  await whileOpen(context, opened, async (tx, session) => {
    const isKnown = (await listOwners(tx, tenant)).some((owner) => owner.id === id)
    if (!isKnown) return
    await deleteOwner(tx, tenant, id)
    await forgetIdentity(tx, context, opened, session, id)
    await recordStep(tx, context, opened, 'verification.remove_owner', { owner: id })
  })
}

// The identity check was for a person who is no longer this owner.
async function forgetIdentity(
  tx: Tx,
  { clock }: MerchantContext,
  { tenant }: Opened,
  session: Session,
  ownerId: string,
): Promise<void> {
  if (session.identityOwnerId !== ownerId) return
  const change = { identityOwnerId: null, identityStatus: 'none', updatedAt: clock.now() } as const
  await updateSession(tx, tenant, session.id, change)
}

export async function recordStep(
  tx: Tx,
  context: MerchantContext,
  { tenant, session }: Opened,
  action: string,
  detail: ActDetail = {},
): Promise<void> {
  // Anyone with the URL: there is no sign-in here.
  const actor: SystemActor = { ...tenant, kind: 'system', name: 'verification page' }
  await recordAct(tx, context, actor, {
    action,
    objectKind: 'verification',
    objectId: session.id,
    detail,
  })
}
