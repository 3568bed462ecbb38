// A link with items, and a link that asks its payers for more than the e-mail address.
import type { MomentAt } from './sample-plan.ts'
import { addLink, pay, type SampleLink } from './sample-shop.ts'
import type { SampleStep } from './sample-world.ts'

const paid = { kind: 'link', card: 'no_auth', ending: 'paid' } as const

export function orderSteps(at: MomentAt): SampleStep[] {
  return [
    { at: at(45, 9), run: (world) => addLink(world, hampers) },
    { at: at(44, 9), run: (world) => addLink(world, evening) },
    ...[
      { daysAgo: 31, quantities: [1], customer: 5 },
      { daysAgo: 17, quantities: [2, 1], customer: 12 },
      { daysAgo: 6, quantities: [1, 4], customer: 9 },
      { daysAgo: 2, quantities: [3], customer: 21 },
    ].map(
      ({ daysAgo, quantities, customer }): SampleStep => ({
        at: at(daysAgo, 12, 10),
        run: (world) =>
          pay(world, {
            ...{ ...paid, name: `hamper ${daysAgo}`, offer: hampers.name, amountMinor: 0n },
            ...{ quantities, payerEmail: `customer${customer}@example.com` },
            answers: { phone: '+234 803 555 0100', address: '12 Example Road\nLagos' },
          }),
      }),
    ),
    ...[20, 8, 3].map(
      (daysAgo, index): SampleStep => ({
        at: at(daysAgo, 14, 25),
        run: (world) =>
          pay(world, {
            ...{ ...paid, name: `evening ${daysAgo}`, offer: evening.name },
            ...{ amountMinor: 1_500_000n, payerEmail: `customer${30 + index}@example.com` },
            answers: {
              name: `Customer ${30 + index}`,
              ...(index === 1 && { note: 'Oat milk, please.' }),
            },
          }),
      }),
    ),
  ]
}

const hampers: SampleLink = {
  name: 'hampers',
  title: 'Coffee hampers',
  description: 'Packed by hand, sent within three days.',
  items: [
    {
      ...{ name: 'Hamper with coffee and two mugs', amountMinor: 2_150_000n },
      ...{ minQuantity: 1, maxQuantity: 5, stock: 40 },
    },
    { name: 'Extra mug', amountMinor: 470_000n, minQuantity: 0, maxQuantity: 4 },
    { name: 'Delivery', amountMinor: 150_000n, minQuantity: 1, maxQuantity: 1 },
  ],
  payerFields: { phone: 'required', address: 'required' },
}

const evening: SampleLink = {
  ...{ name: 'evening', title: 'Tasting evening', amountMinor: 1_500_000n },
  payerFields: { name: 'required', note: 'optional' },
}
