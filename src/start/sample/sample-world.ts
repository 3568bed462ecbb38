// The past in which sample data is made: a clock that is set back, and a separate provider
// simulator with the same clock. Everything else is the real thing: the operations, the database,
// the adapter of the provider.
import type { PersonActor } from '../../kernel/auth/actor.ts'
import type { Clock } from '../../kernel/basics/clock.ts'
import { addMilliseconds } from '../../kernel/basics/clock.ts'
import { hostedReference } from '../../kernel/basics/hosted-reference.ts'
import { systemIds } from '../../kernel/basics/id.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { MerchantContext } from '../../merchant/context.ts'
import { simulatorKey } from '../../merchant/provider/choose-provider.ts'
import { createSimulator, listenOnLoopback, type Simulator } from '../../simulator/simulator.ts'
import { openingBalances, withProviders } from '../start-simulator.ts'

export type SampleWorld = {
  readonly tenant: Tenant
  readonly owner: PersonActor
  readonly approver: PersonActor
  // Of this moment: ids start with the time, so each moment has its own.
  context(): MerchantContext
  now(): Date
  // Time passes within a step.
  wait(seconds: number): void
  waitUntil(moment: Date): void
  // Ids of earlier steps by name. One is missing if the process died in the step that made it.
  find(name: string): Promise<string | undefined>
  keep(name: string, id: string): Promise<void>
  // A call of the control API of the simulator.
  control(path: string, body: object): Promise<void>
}

export type SampleStep = { readonly at: Date; run(world: SampleWorld): Promise<void> }

export type OpenedWorld = {
  // The world at that moment.
  at(moment: Date): SampleWorld
  close(): Promise<void>
}

export type SamplePeople = {
  readonly tenant: Tenant
  readonly ownerId: string
  readonly approverId: string
}

// Jobs that the sample data queues are due in the past. The worker lives in the present: it would
// end payments whose payer is still at the provider.
const jobsAfterMs = 10 * 60 * 1000

export async function openSampleWorld(
  given: MerchantContext,
  { tenant, ownerId, approverId }: SamplePeople,
  names: Pick<SampleWorld, 'find' | 'keep'>,
): Promise<OpenedWorld> {
  const clock = createPastClock(given.clock)
  const sample = { jobsFrom: addMilliseconds(given.clock.now(), jobsAfterMs) }
  const base = { ...given, clock, ids: systemIds(clock), sample }
  const simulator = await createSimulator(base, { openingBalances })
  const url = await listenOnLoopback(simulator, 0)
  const providers = { flutterwave: undefined, simulatorServesLive: false }
  const context = withProviders(base, { url, webhookHash: '' }, providers)
  const person = (personId: string, role: 'owner' | 'approver'): PersonActor => {
    return { kind: 'person', personId, role, ...tenant }
  }
  const world: SampleWorld = {
    tenant,
    owner: person(ownerId, 'owner'),
    approver: person(approverId, 'approver'),
    context: () => ({ ...context, ids: systemIds(clock) }),
    now: clock.now,
    wait: (seconds) => clock.set(addMilliseconds(clock.now(), seconds * 1000)),
    waitUntil: clock.set,
    find: names.find,
    keep: names.keep,
    control: (path, body) => control(simulator, tenant, path, body),
  }
  return {
    at(moment) {
      clock.set(moment)
      return world
    },
    close: simulator.close,
  }
}

export function referenceOf(tenant: Tenant, id: string): string {
  return hostedReference(tenant, id)
}

async function control(
  { fastify }: Simulator,
  tenant: Tenant,
  path: string,
  body: object,
): Promise<void> {
  const response = await fastify.inject({
    method: 'POST',
    url: `/control${path}`,
    headers: { authorization: `Bearer ${simulatorKey(tenant)}`, host: 'localhost' },
    payload: JSON.stringify(body),
  })
  if (response.statusCode >= 300) throw new Error(`the simulator refused ${path}: ${response.body}`)
}

// Goes on at its usual pace from where it is set.
function createPastClock({ monotonicMs }: Clock): Clock & { set(moment: Date): void } {
  let start = { at: new Date(0), monotonicMs: monotonicMs() }
  return {
    now: () => addMilliseconds(start.at, Math.floor(monotonicMs() - start.monotonicMs)),
    monotonicMs,
    set(at) {
      start = { at, monotonicMs: monotonicMs() }
    },
  }
}
