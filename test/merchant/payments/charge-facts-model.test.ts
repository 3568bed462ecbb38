// Facts in any order, any number of times, about any number of transactions: all invariants hold, a
// fact that is already applied changes nothing, no payment leaves its final status, the ledger
// agrees with the provider, and unmatched money is owed back once.
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
  discrepanciesOf,
  eventsOf,
  payment,
  shop,
  storedPayment,
} from '../../support/payments.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()

// A transaction has its amount for ever; what it was for is another matter.
const transactions = fc.array(
  fc.record({
    amount: fc.constantFrom('1000', '1000', '1000.004', '999.99', '1000.01', '1250', '0'),
    currency: fc.constantFrom('NGN', 'NGN', 'NGN', 'NGN', 'KES', 'XYZ'),
  }),
  { minLength: 5, maxLength: 5 },
)
type Transaction = typeof transactions extends fc.Arbitrary<(infer One)[]> ? One : never

const facts = fc.record({
  // More often a success than not: every one after the first is unwanted.
  status: fc.constantFrom('pending' as const, 'successful' as const, 'successful', 'failed'),
  which: fc.nat({ max: 4 }),
  isSettled: fc.boolean(),
})
type Said = {
  readonly status: ChargeFact['status']
  readonly which: number
  readonly isSettled: boolean
}

const steps = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: facts as fc.Arbitrary<Said> },
    { weight: 1, arbitrary: fc.constant('cancel' as const) },
  ),
  { minLength: 1, maxLength: 10 },
)

// covers: Other payment transitions (pending to processing
it('holds whatever the provider says', async () => {
  const owner = await shop(world())
  const seen: Record<string, number> = {}
  await fc.assert(
    fc.asyncProperty(transactions, steps, async (given, sequence) => {
      const begun = await payment(world(), owner)
      const provider = new Map<number, { isTaken: boolean; wasOwn: boolean }>()
      const earlier = await assetsOf(begun)
      let before = await storedPayment(world(), begun)
      for (const step of sequence) {
        const after = await take(begun, given, step)
        expect(after).toEqual(await storedPayment(world(), begun))
        if (after.status !== before.status) {
          expect(mayBecome(before.status, after.status)).toBe(true)
          const name = `${before.status} to ${after.status}`
          seen[name] = (seen[name] ?? 0) + 1
        }
        const told = await everything(begun)
        await take(begun, given, step)
        expect(await everything(begun)).toEqual(told)
        if (step !== 'cancel') note(provider, step, before, after)
        expect(await assetsOf(begun)).toEqual(plus(earlier, takenOf(provider, given)))
        before = after
      }
      expect(await owedOf(begun)).toEqual(meantToBeOwed(provider, given, before))
      const count = [...provider.values()].filter(({ wasOwn }) => !wasOwn).length
      const name = `${Math.min(count, 3)} unwanted`
      seen[name] = (seen[name] ?? 0) + 1
    }),
    { numRuns: 40, seed: 20_260_301 },
  )
  await expectInvariants(world().database)
  expect(Object.keys(seen).sort()).toEqual([
    '0 unwanted',
    '1 unwanted',
    '2 unwanted',
    '3 unwanted',
    'pending to cancelled',
    'pending to failed',
    'pending to processing',
    'pending to succeeded',
    'processing to failed',
    'processing to succeeded',
  ])
})

async function take(
  begun: Begun,
  given: readonly Transaction[],
  step: Said | 'cancel',
): Promise<Payment> {
  const { tenant, id } = begun
  const { context, database } = world()
  return database.transaction(async (tx) => {
    if (step !== 'cancel') {
      return applyChargeFact(tx, context, tenant, id, factOf(begun, given, step))
    }
    const actor = { ...tenant, kind: 'system', name: 'test' } as const
    const after = await voidPayment(tx, context, actor, id)
    if (!after) throw new Error('the payment is gone')
    return after
  })
}

function factOf({ reference }: Begun, given: readonly Transaction[], said: Said): ChargeFact {
  const { status, which, isSettled } = said
  const { amount: text, currency } = given[which] ?? { amount: '', currency: '' }
  const amount = decimal(text)
  return {
    reference,
    transactionId: String(which),
    status,
    amount,
    currency,
    providerFee: zeroDecimal,
    amountSettled: isSettled && status === 'successful' ? amount : null,
    failureReason: status === 'failed' ? 'Declined' : null,
    token: null,
    method: null,
    card: null,
  }
}

// What the provider has, by its own words: a success takes, a failure after it gives up again.
type Provider = Map<number, { isTaken: boolean; wasOwn: boolean }>

function note(provider: Provider, { status, which }: Said, before: Payment, after: Payment): void {
  const known = provider.get(which)
  const hasSucceeded = before.status !== after.status && after.status === 'succeeded'
  if (status === 'successful') {
    provider.set(which, { isTaken: true, wasOwn: known?.wasOwn ?? hasSucceeded })
  } else if (status === 'failed' && known) known.isTaken = false
}

type Sums = Readonly<Record<string, bigint>>

function takenOf(provider: Provider, given: readonly Transaction[]): Sums {
  return [...provider]
    .filter(([, { isTaken }]) => isTaken)
    .reduce((sums, [which]) => plus(sums, paidBy(given[which])), {} as Sums)
}

// In whole minor units; of a currency that we do not know nothing can be booked.
function paidBy(transaction: Transaction | undefined): Sums {
  const { amount = '0', currency = 'XYZ' } = transaction ?? {}
  if (currency === 'XYZ' || amount === '0') return {}
  const [whole = '', part = ''] = amount.split('.')
  return { [currency]: BigInt(whole + part.padEnd(2, '0').slice(0, 2)) }
}

function plus(left: Sums, right: Sums): Sums {
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])]
  return Object.fromEntries(names.map((name) => [name, (left[name] ?? 0n) + (right[name] ?? 0n)]))
}

// What the ledger says that the provider has or has made available.
async function assetsOf({ tenant }: Begun): Promise<Sums> {
  const balances = await balancesOf(world(), tenant)
  return Object.entries(balances)
    .filter(([name]) => name.startsWith('provider:') || name.includes('provider_fees'))
    .map(([name, balanceMinor]) => ({ [name.slice(-3)]: balanceMinor }))
    .reduce(plus, {})
}

async function owedOf({ tenant, id }: Begun): Promise<string[]> {
  const rows = await world().database.sql`
    select transaction_id, amount_minor, currency
    from merchant.refunds
    where business_id = ${tenant.businessId}
      and payment_id = ${id}`
  return rows
    .map(
      ({ transactionId, amountMinor, currency }) => `${transactionId} ${amountMinor} ${currency}`,
    )
    .toSorted()
}

// The whole amount of unmatched charges, except those that a person must decide about, and the
// excess of matched ones.
function meantToBeOwed(
  provider: Provider,
  given: readonly Transaction[],
  { failureReason, providerTransactionId, amountMinor }: Payment,
): string[] {
  const isKept = (which: number) =>
    failureReason?.startsWith('paid') && String(which) === providerTransactionId
  return [...provider]
    .filter(([which]) => !isKept(which))
    .flatMap(([which, { wasOwn }]) =>
      Object.entries(paidBy(given[which])).map(([currency, paidMinor]) => {
        return [which, paidMinor - (wasOwn ? amountMinor : 0n), currency] as const
      }),
    )
    .filter(([, owedMinor]) => owedMinor > 0n)
    .map((parts) => parts.join(' '))
    .toSorted()
}

async function everything({ tenant }: Begun) {
  const [balances, breaks, events] = await Promise.all([
    balancesOf(world(), tenant),
    discrepanciesOf(world(), tenant),
    eventsOf(world(), tenant),
  ])
  return { balances, breaks: breaks.length, events: events.length }
}

function decimal(text: string): Decimal {
  const value = parseDecimal(text)
  if (!value) throw new Error(`${text} is no number`)
  return value
}
