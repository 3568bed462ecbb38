// Explains a balance: everything behind one part of it, newest first.
import { z } from 'zod'
import { type BookedLine, listLinesBehind } from '../../kernel/ledger/ledger-store.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { currencyCode, oneOf, uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import type { Payout } from '../payouts/payout.ts'
import { listReservingPayouts } from '../payouts/payout-store.ts'
import { accountOfPart, balanceParts } from './balance.ts'
import { listReservingRefunds, type ReservingRefund } from './balance-store.ts'

const limitMax = 100

export type BalanceEntries = {
  // Ledger lines. A credit, which adds to the balance, is positive here.
  readonly lines: readonly BookedLine[]
  // All reservations: they are part of `reserved`, and reduce `available`.
  readonly payouts: readonly ReservingPayout[]
  readonly refunds: readonly ReservingRefund[]
}

export type ReservingPayout = Pick<Payout, 'id' | 'status' | 'amountMinor' | 'createdAt'>

export const listBalanceEntries = defineOperation({
  name: 'list-balance-entries',
  summary: 'List the newest entries behind one part of a balance',
  kind: 'read',
  input: z.strictObject({
    part: oneOf(balanceParts),
    currency: currencyCode(),
    limit: z.int().min(1).max(limitMax).default(limitMax),
    // The last line of the page before.
    before: z.strictObject({ entryId: uuid(), position: z.int() }).optional(),
  }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql } }, actor, input): Promise<BalanceEntries> {
    const { part, currency, limit, before } = input
    const account = accountOfPart[part]
    const page = { limit, ...(before && { before }) }
    const lines = account ? await listLinesBehind(sql, actor, { account, currency }, page) : []
    const isReserving = part === 'available' || part === 'reserved'
    const payouts = isReserving ? await listReservingPayouts(sql, actor, currency, limit) : []
    const refunds = isReserving ? await listReservingRefunds(sql, actor, currency, limit) : []
    return {
      lines: lines.map((line) => ({ ...line, amountMinor: -line.amountMinor })),
      payouts: payouts.map(reservingPayout),
      refunds,
    }
  },
})

function reservingPayout({ id, status, amountMinor, createdAt }: Payout): ReservingPayout {
  return { id, status, amountMinor, createdAt }
}
