// Requests to the provider with an unknown outcome: the answer was lost, or the process was killed.
// The resolvers of payouts and refunds look the outcome up. That takes minutes, because sending
// again too early could pay twice, so people can see them meanwhile.
import { z } from 'zod'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import type { Payout } from '../payouts/payout.ts'
import {
  sentAgainFrom as payoutSentAgainFrom,
  refusalCertainFrom,
} from '../payouts/payout-polling.ts'
import { listUnansweredPayouts } from '../payouts/payout-store.ts'
import type { Refund } from '../refunds/refund.ts'
import { givenUpFrom, sentAgainFrom as refundSentAgainFrom } from '../refunds/refund-polling.ts'
import { listUnansweredRefunds } from '../refunds/refund-store.ts'
import { rowScope } from '../row-scope.ts'

// Of each kind.
const listMax = 1000

export type UnknownOutcome = Tenant & {
  readonly kind: 'payout' | 'refund'
  readonly id: string
  readonly amountMinor: bigint
  readonly currency: string
  readonly sentAt: Date
  // When the provider is asked next.
  readonly nextLookAt: Date | null
  // When it is sent again if the provider still does not know it; null if never.
  readonly sentAgainFrom: Date | null
  // From when on it fails, should it stay unknown: a payout whose second send was refused, or a
  // refund that is only looked up.
  readonly failsFrom: Date | null
}

export const listUnknownOutcomes = defineOperation({
  name: 'list-unknown-outcomes',
  summary: 'List payouts and refunds with an unknown outcome, oldest first',
  kind: 'read',
  input: z.strictObject({}),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql } }, actor): Promise<UnknownOutcome[]> {
    const scope = rowScope(actor)
    const payouts = await listUnansweredPayouts(sql, scope, listMax)
    const refunds = await listUnansweredRefunds(sql, scope, listMax)
    return [
      ...payouts.map(({ tenant, payout }) => ({ ...tenant, ...ofPayout(payout) })),
      ...refunds.map(({ tenant, refund }) => ({ ...tenant, ...ofRefund(refund) })),
    ]
  },
})

function ofPayout(payout: Payout) {
  const { id, amountMinor, currency, sentAt, updatedAt, nextLookAt } = payout
  return {
    kind: 'payout' as const,
    ...{ id, amountMinor, currency, nextLookAt },
    sentAt: sentAt ?? updatedAt,
    sentAgainFrom: payoutSentAgainFrom(payout),
    failsFrom: refusalCertainFrom(payout),
  }
}

function ofRefund(refund: Refund) {
  const { id, amountMinor, currency, updatedAt, nextLookAt, namedEntry } = refund
  return {
    kind: 'refund' as const,
    ...{ id, amountMinor, currency, nextLookAt },
    sentAt: updatedAt,
    // A person has said that the provider has it.
    sentAgainFrom: namedEntry === null ? refundSentAgainFrom(refund) : null,
    failsFrom: namedEntry === null ? givenUpFrom(refund) : null,
  }
}
