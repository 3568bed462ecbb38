// A process that is delayed after it has sent a renewal, while another one sends it again.
import { afterEach, expect, it } from 'vitest'
import type { MerchantContext } from '../../../src/merchant/context.ts'
import { manualClock } from '../../support/clock.ts'
import { expectInvariants } from '../../support/invariants.ts'
import {
  chargesOf,
  renewDue,
  type Subscribed,
  stateOf,
  subscribed,
} from '../../support/subscriptions.ts'
import { useWorld } from '../../support/world.ts'

const clock = manualClock(new Date('2027-01-31T10:00:00.000Z'))
const world = useWorld({ clock })
const minuteMs = 60_000

afterEach(() => expectInvariants(world().database))

const rule = (one: Subscribed, order: Record<string, unknown>) =>
  world().simulator.rule(one.tenant, { count: 1, ...order })

// Its first send is lost; the second, of the other process, stays undecided at the provider; then
// the first process hears of a refusal.
function heldUp(one: Subscribed): MerchantContext {
  const { context } = world()
  return {
    ...context,
    async providerFor(tenant) {
      const provider = await context.providerFor(tenant)
      return {
        ...provider,
        async chargeSavedCard() {
          await rule(one, { operation: 'charge', effect: 'succeed_after_timeout' })
          clock.advance(11 * minuteMs)
          await renewDue(world())
          return { kind: 'refused', reason: 'Duplicate reference' }
        },
      }
    },
  }
}

it('does not fail a charge that someone else has sent since', async () => {
  const one = await subscribed(world())
  await rule(one, { operation: 'webhook', effect: 'withhold', count: 1_000 })
  clock.set(new Date('2027-02-28T12:00:00.000Z'))
  await renewDue({ context: heldUp(one) })
  const [, renewal] = await chargesOf(world(), one)
  expect(renewal?.status).toBe('processing')
  expect((await stateOf(world(), one)).periods[1]).toMatchObject({ sends: 2, failures: 0 })
  const by = { subject: 'charge', reference: renewal?.providerReference }
  await world().simulator.control(one.tenant, 'POST', '/proceed', by)
  clock.advance(60 * minuteMs)
  await renewDue(world())
  const charges = await chargesOf(world(), one)
  expect(charges.map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
})
