// Posts a payment and its allocations, in the caller's transaction:
//   insert: the payment, first of all, so that a repeat with the same external id waits for it;
//   lock: the documents and open items that it settles;
//   check: that they have the same contact, currency and control account, and are open;
//   write: allocations, open items, documents;
//   post: one entry for the money and everything allocated on its day.
// A payment can be dated before the document that it pays, or before the day on which another
// payment of it was removed: until that day it is the contact's credit, and an entry of that day
// allocates it.
import { type Actor, actorId } from '../../kernel/auth/actor.ts'
import { Fault, invalidField } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { SystemSubtype } from '../accounts/account.ts'
import { findSystemAccount } from '../accounts/account-store.ts'
import { findContact } from '../contacts/contact-store.ts'
import { lockSameContact } from '../contacts/merged-contact-store.ts'
import type { BooksContext } from '../context.ts'
import { type JournalLine, tidyLines } from '../journal/journal-entry.ts'
import { postEntry } from '../journal/post-entry.ts'
import type { OpenItem } from './open-item.ts'
import { insertOpenItem } from './open-item-store.ts'
import { openItemOf, type Payment } from './payment.ts'
import { findPaymentByExternalId, insertPayment } from './payment-store.ts'
import {
  findSettlementAccounts,
  findUsableDay,
  insertAllocated,
  itemLabel,
  type LockedItems,
  lockItems,
  type Made,
  requireItem,
  requireOpen,
} from './settle-items.ts'
import { allocationLines, moneyLines, type SettlementAccounts } from './settlement-posting.ts'

export type NewPayment = Omit<
  Payment,
  'id' | 'removedAt' | 'createdByKind' | 'createdBy' | 'createdAt'
> & {
  readonly id?: string
  // What its account is kept in.
  readonly keptIn: string
  readonly allocations: readonly WantedUse[]
  // The control account, if no allocation determines it.
  readonly control?: ControlSubtype
  // For a write-off: the kind of its entry, and its lines instead of money on an account.
  readonly entryKind?: string
  readonly linesOf?: (payment: Payment, item: OpenItem) => JournalLine[]
}

export type WantedUse = { readonly itemId: string; readonly amountMinor: bigint }

export type ControlSubtype = Extract<SystemSubtype, 'receivable' | 'payable' | 'expense_claims'>

export async function postPayment(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  wanted: NewPayment,
): Promise<Payment> {
  const { keptIn, allocations, control, entryKind, linesOf, ...facts } = wanted
  const contact = await findContact(tx, actor, facts.contactId)
  if (!contact) throw invalidField('contactId', 'No such contact.')
  const payment: Payment = {
    ...facts,
    id: facts.id ?? context.ids.uuid(),
    removedAt: null,
    createdByKind: actor.kind,
    createdBy: actorId(actor),
    createdAt: context.clock.now(),
  }
  if (!(await insertPayment(tx, actor, payment))) return findRepeated(tx, actor, payment)
  const accounts = await findSettlementAccounts(tx, actor)
  const locked = await lockItems(
    tx,
    actor,
    allocations.map(({ itemId }) => itemId),
  )
  const item = await openPayment(tx, actor, payment, locked, wanted)
  for (const use of allocations) await requireUsable(tx, actor, locked, item, use)
  const made: Made[] = []
  for (const use of allocations) {
    made.push(await useFor(tx, context, actor, locked, payment, use, accounts))
  }
  const lines = linesOf?.(payment, item) ?? moneyLines(payment, item, keptIn, accounts)
  context.failpoint('settlement.posting')
  const kind = entryKind ?? 'payment.recorded'
  const { name } = contact
  await post(tx, context, actor, payment, { kind, lines, made, accounts, locked, name })
  return payment
}

// A repeat changes nothing and must have the same content.
async function findRepeated(tx: Tx, actor: Actor, payment: Payment): Promise<Payment> {
  const externalId = payment.externalId ?? ''
  const earlier = await findPaymentByExternalId(tx, actor, externalId)
  const isSame =
    earlier?.direction === payment.direction &&
    earlier.currency === payment.currency &&
    earlier.amountMinor === payment.amountMinor
  if (earlier && isSame) return earlier
  throw new Fault('conflict', `Another payment is already posted as ${externalId}.`)
}

async function openPayment(
  tx: Tx,
  actor: Actor,
  payment: Payment,
  locked: LockedItems,
  { allocations, control }: NewPayment,
): Promise<OpenItem> {
  const [first] = allocations
  const fallback = control ?? (payment.direction === 'in' ? 'receivable' : 'payable')
  const accountId = first
    ? requireItem(locked, first.itemId).accountId
    : (await findSystemAccount(tx, actor, fallback)).id
  const item = openItemOf(payment, accountId)
  await insertOpenItem(tx, actor, item)
  locked.items.set(item.id, item)
  return item
}

async function requireUsable(
  tx: Tx,
  tenant: Tenant,
  locked: LockedItems,
  own: OpenItem,
  { itemId, amountMinor }: WantedUse,
): Promise<void> {
  const item = requireItem(locked, itemId)
  const label = itemLabel(locked, item)
  const refuse = (message: string) => invalidField('allocations', message)
  if (!(await lockSameContact(tx, tenant, item.contactId, own.contactId))) {
    throw refuse(`${label} is of another contact.`)
  }
  if (item.currency !== own.currency) {
    throw refuse(`${label} is in ${item.currency}, the payment in ${own.currency}.`)
  }
  if (item.accountId !== own.accountId) {
    throw refuse('One payment settles sales, purchases or expense claims. Record several.')
  }
  if (item.openMinor > 0n === own.openMinor > 0n && item.openMinor !== 0n) {
    const way = own.openMinor < 0n ? 'comes in' : 'goes out'
    throw refuse(`${label} can't be settled by money that ${way}.`)
  }
  requireOpen(locked, item, amountMinor)
}

async function useFor(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  locked: LockedItems,
  payment: Payment,
  { itemId, amountMinor }: WantedUse,
  accounts: SettlementAccounts,
): Promise<Made> {
  const item = requireItem(locked, itemId)
  const [debitItemId, creditItemId] =
    payment.direction === 'in' ? [itemId, payment.id] : [payment.id, itemId]
  const date = await findUsableDay(tx, actor, item, amountMinor, payment.date)
  const as = payment.method === 'write_off' ? 'writtenOffMinor' : 'paidMinor'
  const bookedWith = date === payment.date ? payment.id : null
  const wanted = { debitItemId, creditItemId, amountMinor, date, as, bookedWith } as const
  return insertAllocated(tx, context, actor, locked, wanted, accounts)
}

type ToPost = {
  readonly kind: string
  readonly lines: readonly JournalLine[]
  readonly made: readonly Made[]
  readonly accounts: SettlementAccounts
  readonly locked: LockedItems
  readonly name: string
}

async function post(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  payment: Payment,
  { kind, lines, made, accounts, locked, name }: ToPost,
): Promise<void> {
  const isNow = ({ allocation }: Made) => allocation.bookedWith === payment.id
  const now = made.filter(isNow).flatMap(({ allocated }) => allocationLines(allocated, accounts))
  await postEntry(tx, context, actor, {
    kind,
    sourceId: payment.id,
    reversesSequence: null,
    date: payment.date,
    description: describe(payment, name, locked),
    lines: tidyLines([...lines, ...now]),
  })
  for (const { allocation, allocated } of made.filter((one) => !isNow(one))) {
    await postEntry(tx, context, actor, {
      kind: 'allocation.made',
      sourceId: allocation.id,
      reversesSequence: null,
      date: allocation.date,
      description: describe(payment, name, locked),
      lines: allocationLines(allocated, accounts),
    })
  }
}

const descriptionMax = 500

// `Payment from Acme: INV-2026-00001, INV-2026-00002`
function describe({ direction, method }: Payment, name: string, { documents }: LockedItems) {
  const numbers = [...documents.values()].map(({ number }) => number).join(', ')
  const way = direction === 'in' ? 'from' : 'to'
  const what = method === 'write_off' ? `Write-off of ${name}` : `Payment ${way} ${name}`
  // Cut at whole characters: half of one would be stored as another character than was hashed.
  return [...(numbers ? `${what}: ${numbers}` : what)].slice(0, descriptionMax).join('')
}
