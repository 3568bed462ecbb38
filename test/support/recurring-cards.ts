// A recurring invoice that is charged to the saved card of a subscription.
import type { z } from 'zod'
import { bookServiceMoneySchedule } from '../../src/bridge/book-service-money.ts'
import { chargeRecurringSchedule } from '../../src/bridge/charge-recurring.ts'
import { chooseRecurringCard } from '../../src/bridge/choose-recurring-card.ts'
import { runOperation } from '../../src/kernel/operations/run-operation.ts'
import type { Payment } from '../../src/merchant/payments/payment.ts'
import type { createPlan } from '../../src/merchant/subscriptions/create-plan.ts'
import { resolveScheduleCharges } from '../../src/merchant/subscriptions/resolve-schedule-charges.ts'
import { type Books, newBooks } from './documents.ts'
import { shop } from './payments.ts'
import { makeDue, newSchedule, type ScheduleForm } from './recurring.ts'
import { type Subscribed, subscribed } from './subscriptions.ts'
import type { World } from './world.ts'

export type CardSchedule = {
  readonly books: Books
  readonly one: Subscribed
  // Of the schedule.
  readonly id: string
}

type Plan = Partial<z.output<typeof createPlan.input>>

// The card is not chosen yet. Every month 1,000.00 NGN, as in the plan.
export async function cardSchedule(
  world: World,
  input: Partial<ScheduleForm> & { nextDay: string },
  plan: Plan = {},
): Promise<CardSchedule> {
  const books = await newBooks(world, { baseCurrency: 'NGN' })
  const seller = await shop(world, { businessId: books.businessId })
  const one = await subscribed(world, plan, seller)
  const contact = await books.contact({ email: 'payer@example.com' })
  const { id } = await newSchedule(world, books, {
    mode: 'send',
    contactId: contact.id,
    lines: [{ description: 'Retainer', unitPrice: '1000', accountId: books.account('4000') }],
    ...input,
  })
  return { books, one, id }
}

export async function chargedSchedule(
  world: World,
  input: Partial<ScheduleForm> & { nextDay: string },
  plan: Plan = {},
): Promise<CardSchedule> {
  const made = await cardSchedule(world, input, plan)
  await chooseCard(world, made)
  return made
}

export function chooseCard({ context }: World, { books, one, id }: CardSchedule) {
  const chosen = { id, subscriptionId: one.id }
  return runOperation(chooseRecurringCard, context, books.owner, chosen)
}

const ever = () => new AbortController().signal

// What the worker does: makes the invoices, charges them, finds out what is unknown, and posts.
export async function workOnce(world: World): Promise<void> {
  await makeDue(world)
  await chargeDue(world)
  await bookServiceMoneySchedule.run(world.context, ever())
}

export async function chargeDue({ context }: World): Promise<void> {
  await chargeRecurringSchedule.run(context, ever())
  await resolveScheduleCharges.run(context, ever())
}

// The payments of the schedule's charges, the oldest first.
export function scheduleCharges({ database }: World, { one, id }: CardSchedule) {
  return database.sql<Payment[]>`
    select payment.*
    from merchant.schedule_charges as charge
    join merchant.payments as payment
      on payment.business_id = charge.business_id
      and payment.id = charge.payment_id
    where charge.business_id = ${one.tenant.businessId}
      and charge.schedule_id = ${id}
    order by charge.number`
}

// How often the provider has really charged the card for the schedule.
export async function realCharges(world: World, made: CardSchedule): Promise<number> {
  const counts = await Promise.all(
    (await scheduleCharges(world, made)).map(({ providerReference }) =>
      world.simulator.effects(made.one.tenant, providerReference),
    ),
  )
  return counts.reduce((sum, { charge = 0 }) => sum + charge, 0)
}
