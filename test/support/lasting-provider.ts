// The simulated provider in the test process, with its own database: it outlives the processes of
// the service that use it.
import { randomUUID } from 'node:crypto'
import type { Tenant } from '../../src/kernel/basics/tenant.ts'
import { Decimal } from '../../src/kernel/money/decimal.ts'
import type { ServiceContext } from '../../src/kernel/operations/service-context.ts'
import { simulatorKey } from '../../src/merchant/provider/choose-provider.ts'
import { createSimulator, listenOnLoopback } from '../../src/simulator/simulator.ts'
import { createDatabase } from './database.ts'
import { createSimulatorControls, type SimulatorControls } from './simulator.ts'

export const providerWebhookHash = 'crash-sweep-webhook-hash'

// One account for all businesses, as a platform has; whose a charge is, its reference says.
export async function startLastingProvider(context: ServiceContext) {
  const account: Tenant = { businessId: randomUUID(), environment: 'live' }
  const database = await createDatabase()
  const simulator = await createSimulator(
    { ...context, database },
    {
      webhookTimeoutMs: 60_000,
      openingBalances: { NGN: new Decimal(1_000_000n, 0) },
      defaultWebhook: {
        hash: providerWebhookHash,
        urlFor: (environment) => `${context.publicUrl}/hooks/provider/${environment}`,
      },
    },
  )
  const url = await listenOnLoopback(simulator, 0)
  const { drain } = simulator
  const real = createSimulatorControls({ url, drain })
  const controls: SimulatorControls = {
    ...real,
    pay: (_tenant, reference, card) => real.pay(account, reference, card),
    rule: (_tenant, rule) => real.rule(account, rule),
    removeRules: () => real.removeRules(account),
    effects: (_tenant, reference) => real.effects(account, reference),
    control: (_tenant, method, path, body) => real.control(account, method, path, body),
  }
  const close = async () => {
    await simulator.close()
    await database.drop()
  }
  return { url, key: simulatorKey(account), controls, drain, close }
}
