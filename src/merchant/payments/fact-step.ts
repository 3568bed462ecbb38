// The input of every step of applying a fact: one fact about one locked payment.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { MerchantContext } from '../context.ts'
import type { ChargeFact } from '../provider/provider.ts'
import type { Payment } from './payment.ts'

export type FactStep = {
  readonly tx: Tx
  readonly context: MerchantContext
  readonly tenant: Tenant
  // As it was locked, before the fact.
  readonly payment: Payment
  readonly fact: ChargeFact
  readonly asked?: Payment | undefined
}
