// What the customers of the coffee shop buy, day by day, and what is refunded.
import { addSeconds } from '../../kernel/basics/clock.ts'
import { type MomentAt, sampleDays } from './sample-plan.ts'
import type { Random } from './sample-random.ts'
import { pay, refund, type SamplePayment } from './sample-shop.ts'
import type { SampleStep } from './sample-world.ts'

const day = 24 * 60 * 60
const hour = 60 * 60

type Product = Pick<SamplePayment, 'offer' | 'kind'> & {
  readonly amountsMinor: readonly bigint[]
  // How many of a hundred payments are for it.
  readonly share: number
}

const products: readonly Product[] = [
  { offer: 'coffee', kind: 'link', amountsMinor: [1_250_000n], share: 22 },
  { offer: 'mugs', kind: 'link', amountsMinor: [940_000n], share: 12 },
  { offer: 'workshop', kind: 'link', amountsMinor: [1_800_000n], share: 10 },
  { offer: 'market', kind: 'link', amountsMinor: [680_000n], share: 10 },
  { offer: 'gift', kind: 'link', amountsMinor: [500_000n, 1_000_000n, 2_500_000n], share: 8 },
  { offer: 'machine', kind: 'link', amountsMinor: [7_450_000n], share: 3 },
  {
    offer: 'counter',
    kind: 'code',
    amountsMinor: [320_000n, 450_000n, 615_000n, 780_000n, 1_130_000n],
    share: 25,
  },
  { offer: 'tasting', kind: 'code', amountsMinor: [250_000n], share: 10 },
]

const declinedCards = ['insufficient_funds', 'do_not_honour', 'fraudulent']
// Without a PIN: the simulator of the present would end a step of the payer that was due long ago.
const cards = ['no_auth', 'preauthorised']

export function paymentSteps(at: MomentAt, random: Random): SampleStep[] {
  const steps: SampleStep[] = []
  for (let daysAgo = sampleDays - 1; daysAgo >= 0; daysAgo -= 1) {
    const weekday = at(daysAgo, 12).getUTCDay()
    const busy = weekday === 6 ? 3 : weekday === 5 ? 2 : weekday === 0 ? 0 : 1
    const count = 1 + busy + random(3) + (daysAgo < 30 ? 1 : 0)
    for (let number = 0; number < count; number += 1) {
      const payment = drawPayment(`payment ${daysAgo}-${number}`, random)
      const moment = at(daysAgo, openingHours[random(openingHours.length)] ?? 12, random(60))
      steps.push({ at: moment, run: (world) => pay(world, payment) })
      const part = payment.amountMinor > 600_000n ? payment.amountMinor / 4n : undefined
      if (payment.ending !== 'paid' || declinedCards.includes(payment.card)) continue
      if (payment.amountMinor > 5_000_000n || random(24) > 0) continue
      const later = addSeconds(moment, (1 + random(4)) * day + random(4) * hour)
      const amountMinor = random(2) === 0 ? undefined : part
      steps.push({ at: later, run: (world) => refund(world, payment.name, amountMinor) })
    }
  }
  return steps
}

// The lunch break and the way home bring most customers.
const openingHours = [8, 9, 10, 11, 11, 12, 12, 13, 14, 15, 16, 16, 17, 17, 18]

function drawPayment(name: string, random: Random): SamplePayment {
  let rest = random(100)
  const product = products.find(({ share }) => {
    rest -= share
    return rest < 0
  })
  const { offer, kind, amountsMinor } = product ?? { ...products[0], offer: 'coffee', kind: 'link' }
  const amounts = amountsMinor ?? []
  const luck = random(100)
  const isDeclined = luck >= 91 && luck < 97
  const kindOfCards = isDeclined ? declinedCards : cards
  // A few customers come often.
  const customer = 1 + Math.min(random(48), random(48))
  return {
    name,
    offer,
    kind,
    amountMinor: amounts[random(amounts.length)] ?? 1_250_000n,
    payerEmail: `customer${customer}@example.com`,
    card: kindOfCards[random(kindOfCards.length)] ?? 'no_auth',
    ending:
      luck < 97 ? 'paid' : luck === 97 ? 'cancelled' : luck === 98 ? 'abandoned' : 'withdrawn',
  }
}

// One of each ending, whatever chance brings.
export function certainSteps(at: MomentAt): SampleStep[] {
  const payerEmail = 'customer3@example.com'
  const mugs = { offer: 'mugs', kind: 'link', amountMinor: 940_000n, payerEmail } as const
  const step = (daysAgo: number, card: string, ending: SamplePayment['ending']): SampleStep => ({
    at: at(daysAgo, 13, 5),
    run: (world) => pay(world, { ...mugs, name: `certain ${daysAgo}`, card, ending }),
  })
  return [
    step(29, 'no_auth', 'withdrawn'),
    step(25, 'no_auth', 'cancelled'),
    step(23, 'insufficient_funds', 'paid'),
    step(19, 'no_auth', 'paid'),
    { at: at(18, 9, 15), run: (world) => refund(world, 'certain 19') },
    step(12, 'no_auth', 'paid'),
    { at: at(10, 9, 15), run: (world) => refund(world, 'certain 12', 235_000n) },
  ]
}
