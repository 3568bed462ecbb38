// Facts in any order, as often as the provider likes: whatever it says, everything that must hold
// does, a fact that was applied changes nothing when it is told again, and no payment leaves its
// end.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Decimal, parseDecimal, zeroDecimal } from '../../../src/kernel/money/decimal.ts'
import { applyChargeFact } from '../../../src/merchant/payments/apply-charge-fact.ts'
import { voidPayment } from '../../../src/merchant/payments/cancel-payment.ts'
import { mayBecome, type Payment } from '../../../src/merchant/payments/payment.ts'
import type { ChargeFact } from '../../../src/merchant/provider/provider.ts'
import { expectInvariants } from '../../support/invariants.ts'
import {
  type Begun,
  balancesOf,
  breaksOf,
  eventsOf,
  payment,
  shop,
  storedPayment,
} from '../../support/payments.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()

const facts = fc.record({
  status: fc.constantFrom('pending' as const, 'successful' as const, 'failed' as const),
  transactionId: fc.constantFrom('1', '2'),
  amount: fc.constantFrom('1000', '1000.004', '999.99', '1000.01', '1250', '0'),
  currency: fc.constantFrom('NGN', 'NGN', 'NGN', 'KES', 'XYZ'),
  isSettled: fc.boolean(),
})
type Said = typeof facts extends fc.Arbitrary<infer Fact> ? Fact : never

const steps = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: facts },
    { weight: 1, arbitrary: fc.constant('cancel' as const) },
  ),
  {
    minLength: 1,
    maxLength: 6,
  },
)

it('holds whatever the provider says', { timeout: 120_000 }, async () => {
  const owner = await shop(world())
  const seen: Record<string, number> = {}
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const begun = await payment(world(), owner)
      let before = await storedPayment(world(), begun)
      for (const step of sequence) {
        const after = await take(begun, step)
        expect(after).toEqual(await storedPayment(world(), begun))
        if (after.status !== before.status) {
          expect(mayBecome(before.status, after.status)).toBe(true)
          const name = `${before.status} to ${after.status}`
          seen[name] = (seen[name] ?? 0) + 1
        }
        const told = await everything(begun)
        await take(begun, step)
        expect(await everything(begun)).toEqual(told)
        before = after
      }
    }),
    { numRuns: 40, seed: 20_260_301 },
  )
  await expectInvariants(world().database)
  expect(Object.keys(seen).sort()).toEqual([
    'pending to cancelled',
    'pending to failed',
    'pending to processing',
    'pending to succeeded',
    'processing to failed',
    'processing to succeeded',
  ])
})

async function take(begun: Begun, step: Said | 'cancel'): Promise<Payment> {
  const { tenant, id } = begun
  const { context, database } = world()
  return database.transaction(async (tx) => {
    if (step !== 'cancel') return applyChargeFact(tx, context, tenant, id, factOf(begun, step))
    const actor = { ...tenant, kind: 'system', name: 'test' } as const
    const after = await voidPayment(tx, context, actor, id)
    if (!after) throw new Error('the payment is gone')
    return after
  })
}

function factOf({ reference }: Begun, said: Said): ChargeFact {
  const { status, transactionId, currency, isSettled } = said
  const amount = decimal(said.amount)
  return {
    reference,
    transactionId,
    status,
    amount,
    currency,
    providerFee: zeroDecimal,
    amountSettled: isSettled && status === 'successful' ? amount : null,
    failureReason: status === 'failed' ? 'Declined' : null,
    token: null,
  }
}

async function everything({ tenant }: Begun) {
  const [balances, breaks, events] = await Promise.all([
    balancesOf(world(), tenant),
    breaksOf(world(), tenant),
    eventsOf(world(), tenant),
  ])
  return { balances, breaks: breaks.length, events: events.length }
}

function decimal(text: string): Decimal {
  const value = parseDecimal(text)
  if (!value) throw new Error(`${text} is no number`)
  return value
}
