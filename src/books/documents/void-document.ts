// Voids a posted document: the exact negative of its entry, on a day in an open period. The number
// stays used, and the document stays void.
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { assert, assertDefined } from '../../kernel/basics/assert.ts'
import { invalidField } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { adminRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { type BooksContext, defineOperation } from '../context.ts'
import { bookDay, oldDate } from '../input/day-input.ts'
import { requireNoCharge } from '../invoice-pages/require-no-charge.ts'
import { listUnreversedEntries } from '../journal/journal-store.ts'
import { requireOpenDate } from '../journal/lock-dates.ts'
import { reverseEntry } from '../journal/post-entry.ts'
import { lockOpenItems, updateOpenItem } from '../payments/open-item-store.ts'
import { today } from '../settings/organisation.ts'
import { lockForChange, writeChange } from './change-document.ts'
import type { Document } from './document.ts'
import { isSale } from './document-status.ts'
import { type DocumentChanges, findLastMovement } from './document-store.ts'
import { entryKind } from './post-document.ts'
import { requireUncredited } from './require-credited.ts'

// The default is today. Not before the document, nor before a payment of it was removed.
const voidInput = z.strictObject({ id: uuid(), date: bookDay().optional(), ...oldDate })

export const voidDocument = defineOperation({
  name: 'void-document',
  summary: 'Void a posted document',
  kind: 'write',
  input: voidInput,
  scopes: [],
  roles: adminRoles,
  async run(context, actor, { id, confirmsOldDate, date }): Promise<Document> {
    const posting = { ...context, confirmsOldDate }
    const voided = await context.database.transaction((tx) =>
      voidInBooks(tx, posting, actor, id, ({ now, last }) => date ?? (now < last ? last : now)),
    )
    context.failpoint('document.voided')
    return voided
  },
})

type Days = { readonly now: string; readonly last: string }

// `last` is the day of its last change. Also for imports.
export async function voidInBooks(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  id: string,
  chooseDay: (days: Days) => string,
  // An imported document gives up its own number when its import is undone.
  changes: Pick<DocumentChanges, 'number'> = {},
): Promise<Document> {
  const { document, organisation } = await lockForChange(tx, actor, id, 'void')
  await requireUncredited(tx, actor, document)
  await requireNoCharge(tx, actor, id)
  const now = today(organisation, context.clock.now())
  const last = (await findLastMovement(tx, actor, id)) ?? document.date
  const date = chooseDay({ now, last })
  if (date < last) {
    throw invalidField('date', `Must not be before ${last}, the day of its last change.`)
  }
  requireOpenDate(organisation, actor, date)
  await closeOpenItem(tx, actor, document)
  const after = await writeChange(tx, context, actor, document, {
    verb: 'void',
    changes: { ...changes, voidedAt: context.clock.now() },
    detail: { date },
    eventType: isSale(document.kind) ? 'invoice.voided' : undefined,
  })
  await reverse(tx, context, actor, document, date)
  context.failpoint('document.voiding')
  return after
}

async function closeOpenItem(tx: Tx, actor: Actor, { id }: Document): Promise<void> {
  const [item] = await lockOpenItems(tx, actor, [id])
  assert(item && item.openMinor === item.amountMinor, 'a document without payments is partly used')
  await updateOpenItem(tx, actor, id, { openMinor: 0n, openBaseMinor: 0n })
}

// A document without amounts has no entry to reverse.
async function reverse(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  { id, kind, number }: Document,
  date: string,
): Promise<void> {
  const standing = await listUnreversedEntries(tx, actor, id)
  for (const { sequence } of standing.filter((entry) => entry.kind === entryKind(kind))) {
    await reverseEntry(tx, context, actor, {
      sequence,
      kind: `${kind}.voided`,
      date,
      description: `${assertDefined(number, 'no number in the books')} void`,
    })
  }
}
