import { z } from 'zod'
import { notFound } from '../../kernel/basics/fault.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { line } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import type { Payment } from '../payments/payment.ts'
import { listPayments } from '../payments/payment-store.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import { listSubscriptionsOfPayer } from '../subscriptions/subscription-store.ts'
import type { Customer } from './customer.ts'
import { readCustomers } from './read-customers.ts'

const shownMax = 25

export type CustomerStory = {
  readonly customer: Customer
  // The newest.
  readonly payments: readonly Payment[]
  readonly subscriptions: readonly Subscription[]
}

export const getCustomer = defineOperation({
  name: 'get-customer',
  summary: 'Read a payer with their payments and subscriptions',
  kind: 'read',
  input: z.strictObject({ email: line(254) }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql } }, actor, { email }): Promise<CustomerStory> {
    const [customer] = await readCustomers(sql, actor, [email.toLowerCase()])
    if (!customer) throw notFound('customer')
    const [payments, subscriptions] = await Promise.all([
      listPayments(sql, actor, { email, limit: shownMax }),
      listSubscriptionsOfPayer(sql, actor, email, shownMax),
    ])
    return { customer, payments, subscriptions }
  },
})
