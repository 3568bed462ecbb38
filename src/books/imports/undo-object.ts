// Takes back one object, by the same rules as if a person did it. What was taken back already, by a
// person, stays as it is.
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { sqlState } from '../../kernel/db/database-errors.ts'
import type { BooksContext } from '../context.ts'
import { discardDraft } from '../documents/discard-document.ts'
import { findOwnNumber } from '../documents/document-number-store.ts'
import { findDocument } from '../documents/document-store.ts'
import { voidInBooks } from '../documents/void-document.ts'
import { listUnreversedEntries } from '../journal/journal-store.ts'
import { reverseJournal } from '../journal/reverse-manual-journal.ts'
import { findPayment } from '../payments/payment-store.ts'
import { takePaymentOut } from '../payments/remove-payment.ts'
import type { ImportedKind, ImportedObject } from './import.ts'
import { deleteUnused, findName } from './unused-object-store.ts'

export async function undoObject(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  object: ImportedObject & MadeHow,
): Promise<void> {
  await takers[object.kind](tx, context, actor, object)
}

// Whether the import posted its documents.
type MadeHow = { readonly isPosted: boolean }

type Taker = (
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  object: ImportedObject & MadeHow,
) => Promise<void>

const takeDocument: Taker = async (tx, context, actor, { id, isPosted }) => {
  const document = await findDocument(tx, actor, id)
  if (!document || document.status === 'void') return
  if (document.postedAt === null) {
    await discardDraft(tx, context, actor, id)
    return
  }
  // The import made a draft, and people have posted it.
  if (!isPosted) {
    throw new Fault('conflict', `${document.number} was posted meanwhile. Void it by itself.`)
  }
  const posting = { ...context, confirmsOldDate: true }
  const own = await findOwnNumber(tx, actor, id)
  const freed = own === undefined ? {} : { number: `${own} (undone ${id.slice(-6)})` }
  await voidInBooks(tx, posting, actor, id, ({ last }) => last, freed)
}

const takePayment: Taker = async (tx, context, actor, { id }) => {
  const payment = await findPayment(tx, actor, id)
  if (!payment || payment.removedAt) return
  await takePaymentOut(tx, { ...context, confirmsOldDate: true }, actor, id, payment.date)
}

const takeJournal: Taker = async (tx, context, actor, { id }) => {
  const [standing] = await listUnreversedEntries(tx, actor, id)
  if (standing) {
    await reverseJournal(tx, context, actor, { journalId: id, confirmsOldDate: true })
  }
}

const takeMasterData: Taker = async (tx, context, actor, { kind, id }) => {
  const name = await findName(tx, actor, kind, id)
  if (name === undefined) return
  if (!(await isDeleted(tx, actor, kind, id))) {
    throw new Fault('conflict', `${name} is used meanwhile. Take back what uses it first.`)
  }
  await recordAct(tx, context, actor, {
    action: `${kind}.delete`,
    objectKind: kind,
    objectId: id,
    detail: { name },
  })
}

async function isDeleted(tx: Tx, actor: Actor, kind: ImportedKind, id: string): Promise<boolean> {
  try {
    return await deleteUnused(tx, actor, kind, id)
  } catch (error) {
    // Another row names it. The caller rolls the savepoint back.
    if (sqlState(error) !== '23503') throw error
    return false
  }
}

const takers: Readonly<Record<ImportedKind, Taker>> = {
  document: takeDocument,
  payment: takePayment,
  journal: takeJournal,
  contact: takeMasterData,
  item: takeMasterData,
  account: takeMasterData,
}
