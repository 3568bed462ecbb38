// The common steps of all settling. Documents are locked before open items, each in the order of
// ids; then come the checks; then the writes, which can't fail any more.
import type { Actor } from '../../kernel/auth/actor.ts'
import { assert, assertDefined } from '../../kernel/basics/assert.ts'
import { Fault, invalidField, notFound } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { findSystemAccount } from '../accounts/account-store.ts'
import type { BooksContext } from '../context.ts'
import type { Document } from '../documents/document.ts'
import { lockDocuments } from '../documents/document-store.ts'
import { type Settlement, settleDocument } from '../documents/settle-document.ts'
import { amountWords } from '../input/amount-input.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import type { Allocation } from './allocation.ts'
import { insertAllocation, updateAllocationRemoved } from './allocation-store.ts'
import { type OpenItem, usableFrom } from './open-item.ts'
import { listOpenByDay, lockOpenItems, updateOpenItem } from './open-item-store.ts'
import {
  type Allocated,
  allocateItems,
  releaseItems,
  type SettlementAccounts,
} from './settlement-posting.ts'

export type LockedItems = {
  readonly documents: ReadonlyMap<string, Document>
  // The current state; replaced when something of them is used.
  readonly items: Map<string, OpenItem>
}

export async function lockItems(
  tx: Tx,
  tenant: Tenant,
  ids: readonly string[],
): Promise<LockedItems> {
  const documents = await lockDocuments(tx, tenant, ids)
  const items = await lockOpenItems(tx, tenant, ids)
  return {
    documents: new Map(documents.map((document) => [document.id, document])),
    items: new Map(items.map((item) => [item.id, item])),
  }
}

export async function findSettlementAccounts(tx: Tx, tenant: Tenant): Promise<SettlementAccounts> {
  const { baseCurrency } = await findOrganisation(tx, tenant)
  const fxRealised = await findSystemAccount(tx, tenant, 'fx_realised')
  const paymentFees = await findSystemAccount(tx, tenant, 'payment_fees')
  return { baseCurrency, fxRealisedId: fxRealised.id, paymentFeesId: paymentFees.id }
}

// The open item of a posted document or payment.
export function requireItem({ documents, items }: LockedItems, id: string): OpenItem {
  const document = documents.get(id)
  if (document?.voidedAt) throw new Fault('conflict', `${labelOf(document)} is void.`)
  if (document && !document.postedAt) {
    throw new Fault('conflict', `${labelOf(document)} is not in the books yet. Issue it first.`)
  }
  const item = items.get(id)
  if (!item) throw notFound('document or payment')
  return item
}

// The name of a document or payment in messages.
export function itemLabel({ documents }: LockedItems, item: OpenItem): string {
  const document = documents.get(item.id)
  return document ? labelOf(document) : `The payment of ${item.date}`
}

function labelOf(document: Document): string {
  const kind = document.kind.replace('_', ' ')
  return document.number ? `${document.number}` : `The ${kind} of ${document.date}`
}

export function requireOpen(locked: LockedItems, item: OpenItem, amountMinor: bigint): void {
  const openMinor = item.openMinor < 0n ? -item.openMinor : item.openMinor
  if (amountMinor <= openMinor) return
  const label = itemLabel(locked, item)
  const what = openMinor === 0n ? 'Nothing' : `Only ${amountWords(openMinor, item.currency)}`
  throw invalidField('amount', `${what} of ${label} is open.`)
}

// An amount can be used from the day on which it is open.
export async function requireUsableOn(
  tx: Tx,
  tenant: Tenant,
  locked: LockedItems,
  item: OpenItem,
  amountMinor: bigint,
  date: string,
): Promise<void> {
  const first = await findUsableDay(tx, tenant, item, amountMinor, date)
  if (date >= first) return
  const label = itemLabel(locked, item)
  throw invalidField('date', `${label} is open since ${first}. Choose that day or a later one.`)
}

export async function findUsableDay(
  tx: Tx,
  tenant: Tenant,
  item: OpenItem,
  amountMinor: bigint,
  date: string,
): Promise<string> {
  return usableFrom(await listOpenByDay(tx, tenant, item.id), amountMinor, date)
}

export type WantedAllocation = {
  readonly id?: string
  readonly debitItemId: string
  readonly creditItemId: string
  readonly amountMinor: bigint
  readonly date: string
  // What it means for a document: payment, credit or write-off.
  readonly as: keyof Settlement
  readonly bookedWith: string | null
}

export type Made = { readonly allocation: Allocation; readonly allocated: Allocated }

// Uses one item against another: the allocation, the open amounts of both, and their documents. The
// caller has checked everything, and posts the lines.
export async function insertAllocated(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  locked: LockedItems,
  wanted: WantedAllocation,
  { baseCurrency }: SettlementAccounts,
): Promise<Made> {
  const { debitItemId, creditItemId, amountMinor, date, bookedWith } = wanted
  const debit = assertDefined(locked.items.get(debitItemId), 'a debit that is not locked')
  const credit = assertDefined(locked.items.get(creditItemId), 'a credit that is not locked')
  assert(date >= debit.date && date >= credit.date, 'something is used before it is there')
  const allocated = allocateItems(debit, credit, amountMinor, baseCurrency)
  const allocation: Allocation = {
    id: wanted.id ?? context.ids.uuid(),
    debitItemId,
    creditItemId,
    date,
    amountMinor,
    debitBaseMinor: allocated.debitBaseMinor,
    creditBaseMinor: allocated.creditBaseMinor,
    bookedWith,
    createdAt: context.clock.now(),
    removedOn: null,
    removedAt: null,
  }
  await insertAllocation(tx, actor, allocation)
  await keepOpen(tx, actor, locked, allocated)
  await settleBoth(tx, context, actor, locked, allocation, { [wanted.as]: amountMinor })
  return { allocation, allocated }
}

// The opposite: the amount is open again, at exactly its book value.
export async function removeAllocated(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  locked: LockedItems,
  allocation: Allocation,
  { date, as }: Pick<WantedAllocation, 'date' | 'as'>,
): Promise<Allocated> {
  const debit = assertDefined(locked.items.get(allocation.debitItemId), 'a debit not locked')
  const credit = assertDefined(locked.items.get(allocation.creditItemId), 'a credit not locked')
  const released = releaseItems(debit, credit, allocation)
  const removed = { removedOn: date, removedAt: context.clock.now() }
  await updateAllocationRemoved(tx, actor, allocation.id, removed)
  await keepOpen(tx, actor, locked, released)
  await settleBoth(tx, context, actor, locked, allocation, { [as]: -allocation.amountMinor })
  return released
}

async function keepOpen(
  tx: Tx,
  tenant: Tenant,
  { items }: LockedItems,
  { debit, credit }: Allocated,
): Promise<void> {
  for (const item of [debit, credit]) {
    items.set(item.id, item)
    await updateOpenItem(tx, tenant, item.id, item)
  }
}

async function settleBoth(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  { documents }: LockedItems,
  { debitItemId, creditItemId }: Allocation,
  settlement: Settlement,
): Promise<void> {
  for (const id of [debitItemId, creditItemId]) {
    if (documents.has(id)) await settleDocument(tx, context, actor, id, settlement)
  }
}
