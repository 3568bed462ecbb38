import { z } from 'zod'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { invalidField } from '../../kernel/basics/fault.ts'
import { intervalUnits } from '../../kernel/basics/interval.ts'
import { findCurrency } from '../../kernel/money/currency.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { line, minorAmount } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { flutterwaveCurrencies } from '../provider/flutterwave-currencies.ts'
import { isTimeZone } from './billing-period.ts'
import { intervalText, type Plan } from './plan.ts'
import { insertPlan } from './plan-store.ts'

const amountMinorMax = 10_000_000_000n
const intervalCountMax = 366

export const createPlan = defineOperation({
  name: 'create-plan',
  summary: 'Create a plan that payers can subscribe to',
  kind: 'write',
  input: z.strictObject({
    name: line(140),
    currency: z.string().refine((code) => findCurrency(code), { error: 'Must be a currency.' }),
    amountMinor: minorAmount(amountMinorMax),
    intervalUnit: z.enum(intervalUnits),
    intervalCount: z.int().min(1).max(intervalCountMax),
    timeZone: z.string().refine(isTimeZone, { error: 'Must be a time zone such as Africa/Lagos.' }),
  }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, input): Promise<Plan> {
    // The same for every business, and commands have no provider to ask.
    if (!flutterwaveCurrencies.has(input.currency)) {
      throw invalidField('currency', `The payment provider does not support ${input.currency}.`)
    }
    const plan: Plan = { id: context.ids.uuid(), ...input, createdAt: context.clock.now() }
    const { name, currency, amountMinor, timeZone } = plan
    await context.database.transaction(async (tx) => {
      await insertPlan(tx, actor, plan)
      await recordAct(tx, context, actor, {
        action: 'plan.create',
        objectKind: 'plan',
        objectId: plan.id,
        detail: {
          ...{ name, currency, amountMinor: String(amountMinor), timeZone },
          due: intervalText(plan),
        },
      })
    })
    return plan
  },
})
