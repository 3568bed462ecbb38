// Ninety days of a small coffee shop, as steps in the order of their time. The plan depends only on
// its seed and its last moment, so a process that continues another's work makes the same plan.
import { addSeconds } from '../../kernel/basics/clock.ts'
import { bookSteps } from './sample-book-plan.ts'
import { switchBookkeepingOff } from './sample-books.ts'
import { orderSteps } from './sample-orders.ts'
import { certainSteps, paymentSteps } from './sample-payment-plan.ts'
import { createRandom } from './sample-random.ts'
import {
  addCode,
  addLink,
  addRecipient,
  answerDispute,
  decideDispute,
  disableLink,
  disputePayment,
  pay,
  payOut,
  payTooLittle,
  refund,
} from './sample-shop.ts'
import { addPlan, subscribe } from './sample-subscriptions.ts'
import type { SampleStep } from './sample-world.ts'

export const sampleDays = 90
const day = 24 * 60 * 60
const hour = 60 * 60

// A moment so many days before the last one, at a time of day in UTC.
export type MomentAt = (daysAgo: number, hours: number, minutes?: number) => Date

export function planSampleData(seed: string, until: Date): SampleStep[] {
  const random = createRandom(seed)
  const midnight = new Date(`${until.toISOString().slice(0, 10)}T00:00:00.000Z`)
  const at: MomentAt = (daysAgo, hours, minutes = 0) =>
    addSeconds(midnight, -daysAgo * day + hours * hour + minutes * 60)
  const steps = [
    ...openingSteps(at),
    ...paymentSteps(at, random),
    ...certainSteps(at),
    ...payoutSteps(at),
    ...subscriptionSteps(at, until),
    ...disputeSteps(at),
    ...bookSteps(at),
    ...orderSteps(at),
    ...latestSteps(until),
  ]
  // The last step may take an hour on its clock.
  const latest = addSeconds(until, -hour)
  return steps
    .filter((step) => step.at <= latest)
    .toSorted((left, right) => left.at.getTime() - right.at.getTime())
}

function openingSteps(at: MomentAt): SampleStep[] {
  const step = (minutes: number, run: SampleStep['run']) => ({
    at: at(sampleDays, 7, minutes),
    run,
  })
  return [
    step(0, (world) => switchBookkeepingOff(world)),
    step(2, async (world) => {
      const accountNumber = '0690000032'
      const title = 'Example Market Hall'
      await addRecipient(world, { name: 'market hall', title, accountNumber, percent: '8' })
    }),
    step(5, async (world) => {
      const accountNumber = '0690000033'
      const title = 'Sample Delivery Riders'
      await addRecipient(world, { name: 'riders', title, accountNumber, percent: '5' })
    }),
    step(10, async (world) => {
      const description = 'Roasted this week, whole or ground.'
      await addLink(world, {
        ...{ name: 'coffee', title: 'Coffee beans, 1 kg', description },
        amountMinor: 1_250_000n,
      })
      await addLink(world, { name: 'mugs', title: 'Two stoneware mugs', amountMinor: 940_000n })
      await addLink(world, {
        ...{ name: 'workshop', title: 'Workshop: brewing at home' },
        ...{ amountMinor: 1_800_000n, recipient: 'riders' },
      })
      await addLink(world, {
        ...{ name: 'market', title: 'Market stall: tea sampler' },
        ...{ amountMinor: 680_000n, recipient: 'market hall' },
      })
      await addLink(world, { name: 'gift', title: 'Gift card', presetAmountMinor: 1_000_000n })
      await addLink(world, { name: 'machine', title: 'Espresso machine', amountMinor: 7_450_000n })
    }),
    step(20, async (world) => {
      await addCode(world, { name: 'counter', description: 'Till at the counter' })
      const description = 'Tasting table'
      await addCode(world, { name: 'tasting', description, amountMinor: 250_000n })
    }),
    step(30, async (world) => {
      await addPlan(world, { name: 'club', title: 'Coffee club', amountMinor: 950_000n })
      await addPlan(world, { name: 'office', title: 'Office supply', amountMinor: 2_400_000n })
    }),
    {
      at: at(70, 9),
      run: (world) =>
        addLink(world, {
          ...{ name: 'sale', title: 'Clearance: last year’s harvest', amountMinor: 600_000n },
          expiresAt: at(40, 22),
        }),
    },
    { at: at(35, 18), run: (world) => disableLink(world, 'workshop') },
  ]
}

function payoutSteps(at: MomentAt): SampleStep[] {
  const weekly = [83, 76, 69, 62, 55, 48, 41, 34, 27, 20, 13, 6]
  return weekly.map((daysAgo, index) => ({
    at: at(daysAgo, 19, 30),
    run: (world) =>
      payOut(world, {
        name: `payout ${daysAgo}`,
        amountMinor: index % 3 === 0 ? 4_800_000n : 23_000_000n + BigInt(index) * 450_000n,
        ending: daysAgo === 41 ? 'failed' : 'completed',
      }),
  }))
}

function subscriptionSteps(at: MomentAt, until: Date): SampleStep[] {
  return [88, 81, 66, 52, 37, 24, 11].map((daysAgo, index) => {
    const isOffice = index % 3 === 1
    const start = at(daysAgo, 10, index * 5)
    return {
      at: start,
      run: (world) =>
        subscribe(world, {
          name: `subscription ${daysAgo}`,
          plan: isOffice ? 'office' : 'club',
          payer: `Customer ${60 + index}`,
          payerEmail: `customer${60 + index}@example.com`,
          amountMinor: isOffice ? 2_400_000n : 950_000n,
          renewals: renewalsAfter(start, until),
          isCancelled: daysAgo === 66,
        }),
    }
  })
}

// On the same day of the next months, a little later in the day than the first payment.
function renewalsAfter(start: Date, until: Date): Date[] {
  const moments: Date[] = []
  for (let month = 1; month <= 3; month += 1) {
    const due = new Date(start)
    due.setUTCMonth(due.getUTCMonth() + month)
    moments.push(addSeconds(due, 2 * hour))
  }
  return moments.filter((moment) => moment < until)
}

type SampleDispute = {
  readonly offer: string
  readonly payerEmail: string
  readonly amountMinor: bigint
  readonly evidence: string
  readonly ending: 'win' | 'lose'
}

// Disputes that were answered and decided.
function disputeSteps(at: MomentAt): SampleStep[] {
  return [
    ...disputed(at, 61, {
      ...{ offer: 'mugs', payerEmail: 'customer23@example.com', amountMinor: 940_000n },
      evidence:
        'Delivered two days after the payment. The payer signed for it: slip 118 in the ' +
        'delivery folder.',
      ending: 'win',
    }),
    ...disputed(at, 38, {
      ...{ offer: 'coffee', payerEmail: 'customer41@example.com', amountMinor: 1_250_000n },
      evidence: 'Sent by post without tracking. We only have the receipt of the post office.',
      ending: 'lose',
    }),
  ]
}

function disputed(at: MomentAt, daysAgo: number, dispute: SampleDispute): SampleStep[] {
  const { evidence, ending, ...what } = dispute
  const name = `dispute ${daysAgo}`
  const payment = { ...what, name, kind: 'link', card: 'no_auth', ending: 'paid' } as const
  return [
    { at: at(daysAgo, 13), run: (world) => pay(world, payment) },
    { at: at(daysAgo - 9, 8, 40), run: (world) => disputePayment(world, name) },
    { at: at(daysAgo - 10, 15, 20), run: (world) => answerDispute(world, name, evidence) },
    { at: at(daysAgo - 14, 11, 5), run: (world) => decideDispute(world, name, ending) },
  ]
}

// What waits for someone today.
function latestSteps(until: Date): SampleStep[] {
  const ago = (hours: number) => addSeconds(until, -hours * hour)
  const payerEmail = 'customer7@example.com'
  const payment = { kind: 'link', card: 'no_auth', ending: 'paid', payerEmail } as const
  const large = { ...payment, name: 'machine order', offer: 'machine', amountMinor: 7_450_000n }
  const short = { ...payment, name: 'short payment', offer: 'mugs', amountMinor: 940_000n }
  const disputed = { ...payment, name: 'disputed', offer: 'gift', amountMinor: 2_500_000n }
  const today = [6, 2.5, 1.2].map((hours, index) => {
    const latest = { ...payment, name: `latest ${index}`, offer: 'coffee' }
    return { at: ago(hours), run: (world) => pay(world, { ...latest, amountMinor: 1_250_000n }) }
  }) satisfies SampleStep[]
  return [
    ...today,
    { at: ago(75), run: (world) => pay(world, disputed) },
    { at: ago(30), run: (world) => disputePayment(world, disputed.name) },
    { at: ago(52), run: (world) => pay(world, large) },
    // Above the threshold of the demo, so it waits for the second person.
    { at: ago(4), run: (world) => refund(world, large.name) },
    { at: ago(26), run: (world) => payTooLittle(world, short) },
    {
      at: ago(3),
      run: (world) =>
        payOut(world, { name: 'held payout', amountMinor: 18_000_000n, ending: 'held' }),
    },
  ]
}
