// Everything that is known about one payout, for the people of the business: who did what, what was
// booked, and which movements of the available balance came before it. Money in a balance is not
// marked, so no payment belongs to a payout: it is explained by everything that was booked since
// the payout before it in the same currency.
import { z } from 'zod'
import { listActsOfObjects } from '../../kernel/auth/logged-act-store.ts'
import { type NamedAct, nameActors } from '../../kernel/auth/name-actors.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql } from '../../kernel/db/database.ts'
import { type BookedLine, listLinesOfSource } from '../../kernel/ledger/ledger-store.ts'
import {
  type KindTotal,
  listKindTotalsBetween,
  listLinesBetween,
} from '../../kernel/ledger/line-range-store.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { ledgerAccounts } from '../ledger-accounts.ts'
import type { Payout } from './payout.ts'
import { listPaymentsOfSources, type PaymentOfSource } from './payout-content-store.ts'
import { findPayout, findPayoutBefore } from './payout-store.ts'

const movementsMax = 200

// One line of the available balance; what adds to it is positive.
export type PayoutMovement = Pick<BookedLine, 'entryId' | 'kind' | 'amountMinor' | 'createdAt'> & {
  // Of a charge, a refund or a chargeback.
  readonly payment: PaymentOfSource | undefined
}

export type PayoutStory = {
  readonly payout: Payout
  readonly acts: readonly NamedAct[]
  readonly lines: readonly BookedLine[]
  // Null until the payout is booked.
  readonly contents: PayoutContents | null
}

export type PayoutContents = {
  readonly previous: Payout | undefined
  // Over all movements; what adds to the balance is positive.
  readonly totals: readonly KindTotal[]
  // The newest.
  readonly movements: readonly PayoutMovement[]
}

export const getPayoutStory = defineOperation({
  name: 'get-payout-story',
  summary: 'Read everything that happened to a payout, and what it is made of',
  kind: 'read',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql } }, actor, { id }): Promise<PayoutStory> {
    const payout = await findPayout(sql, actor, id)
    if (!payout) throw notFound('payout')
    const [acts, lines] = await Promise.all([
      listActsOfObjects(sql, actor, [id]),
      listLinesOfSource(sql, actor, id),
    ])
    return {
      payout,
      acts: await nameActors(sql, actor, acts),
      lines,
      contents: await readContents(sql, actor, payout, lines),
    }
  },
})

async function readContents(
  sql: Sql,
  tenant: Tenant,
  payout: Payout,
  lines: readonly BookedLine[],
): Promise<PayoutContents | null> {
  const beforeEntryId = lines[0]?.entryId
  if (beforeEntryId === undefined || payout.endedAt === null) return null
  const previous = await findPayoutBefore(sql, tenant, payout.currency, payout.endedAt)
  const previousLines = previous ? await listLinesOfSource(sql, tenant, previous.id) : []
  const range = { afterEntryId: previousLines[0]?.entryId, beforeEntryId }
  const account = { account: ledgerAccounts.merchantAvailable, currency: payout.currency }
  const [totals, moved] = await Promise.all([
    listKindTotalsBetween(sql, tenant, account, range),
    listLinesBetween(sql, tenant, account, range, movementsMax),
  ])
  const sources = moved.flatMap(({ sourceId }) => sourceId ?? [])
  const payments = new Map(
    (await listPaymentsOfSources(sql, tenant, sources)).map((one) => [one.sourceId, one]),
  )
  return {
    previous,
    totals: totals.map((total) => ({ ...total, amountMinor: -total.amountMinor })),
    movements: moved.map(({ entryId, kind, amountMinor, createdAt, sourceId }) => ({
      entryId,
      kind,
      amountMinor: -amountMinor,
      createdAt,
      payment: payments.get(sourceId ?? ''),
    })),
  }
}
