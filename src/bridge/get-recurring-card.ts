// The saved card that a recurring invoice is charged to, what was charged, and the cards that could
// be chosen.
import { z } from 'zod'
import { findContact } from '../books/contacts/contact-store.ts'
import { findSchedule } from '../books/recurring/recurring-schedule-store.ts'
import { assertDefined } from '../kernel/basics/assert.ts'
import { Fault, notFound } from '../kernel/basics/fault.ts'
import { everyRole } from '../kernel/operations/permission.ts'
import { uuid } from '../kernel/operations/schemas.ts'
import { defineOperation } from '../merchant/context.ts'
import type { Plan } from '../merchant/subscriptions/plan.ts'
import { readTerms } from '../merchant/subscriptions/read-terms.ts'
import {
  listScheduleCharges,
  type MadeCharge,
} from '../merchant/subscriptions/schedule-charge-store.ts'
import {
  type SubscriptionWithoutCard,
  withoutCard,
} from '../merchant/subscriptions/subscription.ts'
import {
  findSubscription,
  listSubscriptionsOfPayer,
} from '../merchant/subscriptions/subscription-store.ts'
import { choiceProblem, scheduleProblem } from './choose-recurring-card.ts'

const choicesMax = 20
const chargesMax = 1000

export type CardChoice = {
  readonly subscription: SubscriptionWithoutCard
  readonly plan: Plan
  // Why it can't be chosen.
  readonly problem: string | undefined
}

export type RecurringCard = {
  // The one that is charged.
  readonly chosen: Omit<CardChoice, 'problem'> | undefined
  // Why no card can be chosen.
  readonly problem: string | undefined
  // The subscriptions of the contact.
  readonly choices: readonly CardChoice[]
  // Newest first.
  readonly charges: readonly MadeCharge[]
}

export const getRecurringCard = defineOperation({
  name: 'get-recurring-card',
  summary: 'Show the saved card that a recurring invoice is charged to',
  kind: 'read',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: everyRole,
  async run(context, actor, { id }): Promise<RecurringCard> {
    const { sql } = context.database
    const schedule = await findSchedule(sql, actor, id)
    if (!schedule) throw notFound('schedule')
    const charges = await listScheduleCharges(sql, actor, id, chargesMax)
    if (schedule.subscriptionId !== null) {
      const found = await findSubscription(sql, actor, schedule.subscriptionId)
      const subscription = assertDefined(found, 'a schedule charges no subscription')
      const { plan } = await readTerms(sql, actor, subscription)
      const chosen = { subscription: withoutCard(subscription), plan }
      return { chosen, problem: undefined, choices: [], charges }
    }
    const none = { chosen: undefined, choices: [], charges }
    if (schedule.status === 'ended') return { ...none, problem: 'The schedule has ended.' }
    const problem = await scheduleProblem(sql, actor, schedule)
    if (problem !== undefined || schedule.contactId === null) return { ...none, problem }
    const contact = await findContact(sql, actor, schedule.contactId)
    const provider = await context.providerFor(actor).catch(unavailable)
    if (!contact?.email || !provider) return { ...none, problem }
    const found = await listSubscriptionsOfPayer(sql, actor, contact.email, choicesMax)
    const choices: CardChoice[] = []
    for (const subscription of found) {
      if (subscription.status === 'cancelled' || subscription.status === 'incomplete') continue
      const terms = await readTerms(sql, actor, subscription)
      choices.push({
        subscription: withoutCard(subscription),
        plan: terms.plan,
        problem: await choiceProblem(sql, actor, schedule, terms, provider.name),
      })
    }
    return { ...none, problem, choices }
  },
})

// Without a provider there are no cards; the page shows the rest.
function unavailable(error: unknown): undefined {
  if (!(error instanceof Fault) || error.kind !== 'unavailable') throw error
  return undefined
}
