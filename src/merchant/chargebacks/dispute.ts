// A dispute as people read it: a chargeback with the payer of its payment, and which of them a list
// shows.
import { z } from 'zod'
import { oneOf, searchText } from '../../kernel/operations/schemas.ts'
import { type Chargeback, type DisputePhase, disputePhases } from './chargeback.ts'

export type Dispute = Chargeback & {
  readonly payerEmail: string
  readonly payerName: string | null
}

export type DisputeNote = {
  readonly id: string
  readonly chargebackId: string
  readonly personId: string
  readonly text: string
  readonly createdAt: Date
}

export const disputeFilterInput = {
  phase: oneOf(disputePhases).optional(),
  // A part of the payer's address or name, or exactly a reference, an id or an amount.
  text: searchText.optional(),
  openedSince: z.date().optional(),
  openedBefore: z.date().optional(),
}

export type DisputeFilter = {
  readonly phase?: DisputePhase | undefined
  readonly text?: string | undefined
  readonly openedSince?: Date | undefined
  readonly openedBefore?: Date | undefined
}

export type DisputeTotal = {
  readonly currency: string
  readonly count: number
  readonly amountMinor: bigint
}
