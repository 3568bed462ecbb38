import { expect, test } from 'vitest'
import { createLog } from '../../../src/kernel/basics/log.ts'
import {
  createProviders,
  type ProvidersOptions,
  providerOf,
} from '../../../src/merchant/provider/choose-provider.ts'
import { useWorld } from '../../support/world.ts'
import { instruction, successOf } from './adapter.ts'

const world = useWorld()
const log = createLog('silent')

const live = {
  // No one listens there, so a call that arrives at the live provider is unknown.
  baseUrl: 'http://127.0.0.1:1/v3',
  secretKey: 'FLWSECK-ours-X',
  webhookHash: 'the live hash',
}

function providers(overrides: Partial<ProvidersOptions> = {}) {
  return createProviders({
    log,
    simulator: { baseUrl: `${world().simulator.url}/v3`, webhookHash: 'the simulated hash' },
    live: undefined,
    simulatorServesLive: false,
    findLiveProvider: async () => overrides.live && { separatedAt: world().context.clock.now() },
    isDemo: async () => false,
    ...overrides,
  })
}

async function isSimulated(options: Partial<ProvidersOptions>, environment: 'live' | 'test') {
  const businessId = await world().business()
  const provider = await providers(options).providerFor({ businessId, environment })
  return (await provider.createCheckout(instruction())).kind === 'success'
}

// covers: Sandbox keys move no real money
test.each([true, false])('test keys meet the simulator, also when the demo is %s', async (demo) => {
  expect(await isSimulated({ isDemo: async () => demo }, 'test')).toBe(true)
  expect(await isSimulated({ isDemo: async () => demo, live }, 'test')).toBe(true)
})

test('live keys meet the provider that is configured', async () => {
  expect(await isSimulated({ live }, 'live')).toBe(false)
  expect(await isSimulated({ live, simulatorServesLive: true }, 'live')).toBe(false)
})

test('the live keys of a demo meet the simulator, whatever is configured', async () => {
  expect(await isSimulated({ isDemo: async () => true }, 'live')).toBe(true)
  expect(await isSimulated({ isDemo: async () => true, live }, 'live')).toBe(true)
})

test('live keys meet the simulator where it stands in for a provider that is missing', async () => {
  expect(await isSimulated({ simulatorServesLive: true }, 'live')).toBe(true)
})

test('live keys never meet the simulator on a database that has a real provider', async () => {
  const findLiveProvider = async () => ({ separatedAt: world().context.clock.now() })
  const tenant = { businessId: await world().business(), environment: 'live' } as const
  const { providerFor } = providers({ simulatorServesLive: true, findLiveProvider })
  await expect(providerFor(tenant)).rejects.toMatchObject({ kind: 'unavailable' })
  const demo = providers({ simulatorServesLive: true, findLiveProvider, isDemo: async () => true })
  expect((await demo.providerFor(tenant)).name).toBe('simulator')
})

test('a real provider serves no one before simulated money was separated', async () => {
  const tenant = { businessId: await world().business(), environment: 'live' } as const
  for (const known of [undefined, { separatedAt: null }]) {
    const { providerFor } = providers({ live, findLiveProvider: async () => known })
    await expect(providerFor(tenant)).rejects.toMatchObject({ kind: 'unavailable' })
  }
})

test('what went to one provider is never asked of another', async () => {
  const tenant = { businessId: await world().business(), environment: 'live' } as const
  const real = providers({ live })
  expect((await providerOf(real, tenant, 'flutterwave')).name).toBe('flutterwave')
  expect((await providerOf(real, tenant, null)).name).toBe('flutterwave')
  const unavailable = { kind: 'unavailable' }
  await expect(providerOf(real, tenant, 'simulator')).rejects.toMatchObject(unavailable)
  const simulated = providers({ simulatorServesLive: true })
  expect((await providerOf(simulated, tenant, 'simulator')).name).toBe('simulator')
  await expect(providerOf(simulated, tenant, 'flutterwave')).rejects.toMatchObject(unavailable)
})

test('otherwise there is no provider', async () => {
  const tenant = { businessId: await world().business(), environment: 'live' } as const
  await expect(providers().providerFor(tenant)).rejects.toMatchObject({ kind: 'unavailable' })
  const none = providers({ simulator: undefined })
  const test = { ...tenant, environment: 'test' } as const
  await expect(none.providerFor(test)).rejects.toMatchObject({ kind: 'unavailable' })
})

test('businesses, and the two environments of one, are strangers to each other', async () => {
  const businessId = await world().business()
  const { providerFor } = providers({ simulatorServesLive: true })
  const tenant = { businessId, environment: 'test' } as const
  const wanted = instruction()
  successOf(await (await providerFor(tenant)).createCheckout(wanted))
  await world().simulator.pay(tenant, wanted.reference)
  const found = async (other: { businessId: string; environment: 'live' | 'test' }) =>
    successOf(await (await providerFor(other)).findCharge(wanted.reference))
  expect(await found(tenant)).toMatchObject({ reference: wanted.reference })
  expect(await found({ businessId, environment: 'live' })).toBe(null)
  expect(await found({ businessId: await world().business(), environment: 'test' })).toBe(null)
})

test('a message must say the hash of a provider of its environment', () => {
  const { isFromProvider } = providers({ live })
  expect(isFromProvider('live', 'the live hash')).toBe(true)
  expect(isFromProvider('live', 'the simulated hash')).toBe(true)
  expect(isFromProvider('test', 'the simulated hash')).toBe(true)
  expect(isFromProvider('test', 'the live hash')).toBe(false)
  expect(isFromProvider('live', 'another')).toBe(false)
  expect(isFromProvider('live', undefined)).toBe(false)
})

test('without its own hash, the live provider has no say', () => {
  const { isFromProvider } = providers({ live: { ...live, webhookHash: undefined } })
  expect(isFromProvider('live', '')).toBe(false)
  expect(isFromProvider('live', 'undefined')).toBe(false)
})

test('live keys move no money only where the simulator serves them all', () => {
  expect(providers({ simulatorServesLive: true }).isLiveSimulated).toBe(true)
  expect(providers({ simulatorServesLive: true, live }).isLiveSimulated).toBe(false)
  expect(providers().isLiveSimulated).toBe(false)
})

test('payers are sent to the pages of the provider that serves them', async () => {
  const businessId = await world().business()
  const origins = async (environment: 'live' | 'test', baseUrl: string) => {
    const { providerFor } = providers({ live: { ...live, baseUrl } })
    return (await providerFor({ businessId, environment })).checkoutOrigins
  }
  expect(await origins('test', 'https://api.flutterwave.com/v3')).toEqual([])
  expect(await origins('live', 'https://api.flutterwave.com/v3')).toEqual([
    'https://checkout.flutterwave.com',
    'https://api.flutterwave.com',
  ])
  expect(await origins('live', 'http://127.0.0.1:9/v3')).toContain('http://127.0.0.1:9')
})
