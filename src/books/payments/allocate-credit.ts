// Allocates a credit of a contact: a credit note or an overpayment to an invoice, a supplier credit
// or an overpayment to a bill. At the same rate, only the two open amounts change.

import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { invalidField } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { lockSameContact } from '../contacts/merged-contact-store.ts'
import { type BooksContext, defineOperation } from '../context.ts'
import { amountText, amountWords, minorOf } from '../input/amount-input.ts'
import { bookDay, oldDate } from '../input/day-input.ts'
import { postEntry } from '../journal/post-entry.ts'
import type { Allocation } from './allocation.ts'
import { findAllocation } from './allocation-store.ts'
import type { OpenItem } from './open-item.ts'
import {
  findSettlementAccounts,
  insertAllocated,
  itemLabel,
  type LockedItems,
  lockItems,
  requireItem,
  requireOpen,
  requireUsableOn,
} from './settle-items.ts'
import { allocationLines } from './settlement-posting.ts'

const allocationInput = z.strictObject({
  // The credit: a credit note, supplier credit or payment.
  creditId: uuid(),
  // The document that it settles.
  documentId: uuid(),
  date: bookDay(),
  // The default is as much as possible.
  amount: amountText().optional(),
  ...oldDate,
})

export const allocateCredit = defineOperation({
  name: 'allocate-credit',
  summary: 'Allocate a credit or an overpayment to a document',
  kind: 'write',
  input: allocationInput,
  scopes: [],
  roles: writerRoles,
  idempotency: {
    name: 'allocate-credit',
    isBodyBound: true,
    replay: async ({ database }, actor, id) =>
      assertDefined(await findAllocation(database.sql, actor, id), 'an allocation vanished'),
  },
  async run(context, actor, input): Promise<Allocation> {
    return context.database.transaction(async (tx) => {
      const id = context.ids.uuid()
      await context.call.claimKey(tx, id)
      return useCredit(tx, context, actor, id, input)
    })
  },
})

async function useCredit(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  id: string,
  { creditId, documentId, date, amount, confirmsOldDate }: z.output<typeof allocationInput>,
): Promise<Allocation> {
  const locked = await lockItems(tx, actor, [creditId, documentId])
  const { currency } = requireItem(locked, creditId)
  const made = await allocate(tx, { ...context, confirmsOldDate }, actor, locked, {
    id,
    itemIds: [creditId, documentId],
    date,
    amountMinor: amount === undefined ? undefined : minorOf('amount', amount, currency),
  })
  await recordAct(tx, context, actor, {
    action: 'allocation.make',
    objectKind: 'allocation',
    objectId: made.id,
    detail: { creditId, documentId, date, amount: amountWords(made.amountMinor, currency) },
  })
  return made
}

export type WantedPair = {
  readonly id?: string
  // Both are locked.
  readonly itemIds: readonly [string, string]
  readonly date: string
  readonly amountMinor?: bigint | undefined
}

export async function allocate(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  locked: LockedItems,
  { id, itemIds, date, amountMinor }: WantedPair,
): Promise<Allocation> {
  const { debit, credit } = await requirePair(tx, actor, locked, itemIds)
  const most = smaller(debit.openMinor, -credit.openMinor)
  const wanted = amountMinor ?? most
  for (const item of [debit, credit]) {
    requireOpen(locked, item, wanted === 0n ? 1n : wanted)
    await requireUsableOn(tx, actor, locked, item, wanted, date)
  }
  const isCash = debit.source === 'payment' || credit.source === 'payment'
  const accounts = await findSettlementAccounts(tx, actor)
  const { allocation, allocated } = await insertAllocated(
    tx,
    context,
    actor,
    locked,
    {
      ...(id !== undefined && { id }),
      debitItemId: debit.id,
      creditItemId: credit.id,
      amountMinor: wanted,
      date,
      as: isCash ? 'paidMinor' : 'creditedMinor',
      bookedWith: null,
    },
    accounts,
  )
  context.failpoint('allocation.posting')
  await postEntry(tx, context, actor, {
    kind: 'allocation.made',
    sourceId: allocation.id,
    reversesSequence: null,
    date,
    description: `${itemLabel(locked, credit)} against ${itemLabel(locked, debit)}`,
    lines: allocationLines(allocated, accounts),
  })
  return allocation
}

async function requirePair(
  tx: Tx,
  tenant: Tenant,
  locked: LockedItems,
  [oneId, otherId]: readonly [string, string],
): Promise<{ debit: OpenItem; credit: OpenItem }> {
  const one = requireItem(locked, oneId)
  const other = requireItem(locked, otherId)
  const [label, otherLabel] = [itemLabel(locked, one), itemLabel(locked, other)]
  const refuse = (message: string) => invalidField('documentId', message)
  if (!(await lockSameContact(tx, tenant, one.contactId, other.contactId))) {
    throw refuse(`${label} and ${otherLabel} are of different contacts.`)
  }
  if (one.currency !== other.currency) {
    throw refuse(`${label} is in ${one.currency}, ${otherLabel} in ${other.currency}.`)
  }
  if (one.accountId !== other.accountId) {
    throw refuse("Receivables and payables can't be settled against each other.")
  }
  if (one.amountMinor > 0n === other.amountMinor > 0n) {
    throw refuse(`${label} cannot be allocated to ${otherLabel}: both are owed by the same side.`)
  }
  return one.amountMinor > 0n ? { debit: one, credit: other } : { debit: other, credit: one }
}

function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}
