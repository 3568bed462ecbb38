// The payment providers of this process: its simulator, and the real one. Every process runs its
// own simulator. They share their state through the database, so none needs to know where another
// runs.
import type { Settings } from '../config.ts'
import { findBusiness } from '../kernel/auth/business-store.ts'
import { isUuid } from '../kernel/basics/id.ts'
import { StartError } from '../kernel/basics/start-error.ts'
import { Decimal } from '../kernel/money/decimal.ts'
import type { ServiceContext } from '../kernel/operations/service-context.ts'
import type { Page } from '../kernel/web/page.ts'
import type { MerchantContext } from '../merchant/context.ts'
import { createProviders } from '../merchant/provider/choose-provider.ts'
import { closeSimulator } from '../merchant/provider/close-simulator.ts'
import { flutterwaveCurrencies } from '../merchant/provider/flutterwave-currencies.ts'
import { findLiveProvider } from '../merchant/provider/live-provider-store.ts'
import { createVerifiers } from '../merchant/verification/choose-verifier.ts'
import { createSimulator, listenOnLoopback } from '../simulator/simulator.ts'
import { listLiveWorlds } from '../simulator/world-store.ts'

export type RunningSimulator = {
  // On the loopback address. The API is below /v3, the control API below /control.
  readonly url: string
  readonly webhookHash: string
  readonly pages: readonly Page[]
  // Does everything that is due, and waits until the webhooks have been answered.
  drain(): Promise<void>
  close(): Promise<void>
}

export type SimulatorSettings = {
  // 0 means any free port.
  readonly port: number
  // The service's own address, for webhooks; undefined while it does not listen.
  ownUrl(): string | undefined
}

// Refunds are paid from settled money, which is less than the charges because of fees. Without a
// float, the first full refund of a new business would be refused. A platform's account also holds
// other businesses' money.
const float = new Decimal(1_000_000n, 0)
export const openingBalances = Object.fromEntries(
  [...flutterwaveCurrencies].map((currency) => [currency, float]),
)

export async function startSimulator(
  context: ServiceContext,
  { port, ownUrl }: SimulatorSettings,
): Promise<RunningSimulator> {
  // The same in all processes, since they receive each other's webhooks.
  const webhookHash = context.secrets.derive('simulator webhooks').toString('base64url')
  const urlFor = (environment: string) => {
    const url = ownUrl()
    return url && `${url}/hooks/provider/${environment}`
  }
  const simulator = await createSimulator(context, {
    defaultWebhook: { hash: webhookHash, urlFor },
    openingBalances,
  })
  const { pages, drain, close } = simulator
  try {
    const url = await listenOnLoopback(simulator, port)
    return { url, webhookHash, pages, drain, close }
  } catch (error) {
    await close()
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    if (!isTaken) throw error
    const reason = 'another program uses this port. Set SIMULATOR_PORT to a free one.'
    throw new StartError(`SIMULATOR_PORT ${port}: ${reason}`, { cause: error })
  }
}

// Before a process with a real provider serves anybody.
export async function claimLiveProvider(context: MerchantContext): Promise<void> {
  const businessIds = await listLiveWorlds(context.database.sql)
  await closeSimulator(context, 'flutterwave', businessIds.filter(isUuid))
}

export type ProviderSettings = {
  readonly flutterwave: Settings['flutterwave']
  readonly simulatorServesLive: boolean
  readonly timeoutMs?: number
}

export function withProviders(
  context: ServiceContext,
  simulator: Pick<RunningSimulator, 'url' | 'webhookHash'> | undefined,
  { flutterwave, simulatorServesLive, timeoutMs }: ProviderSettings,
): MerchantContext {
  const { log, database } = context
  const isDemo = async (id: string) => (await findBusiness(database.sql, id))?.isDemo ?? false
  return {
    ...context,
    ...createVerifiers({
      log,
      simulatorUrl: simulator?.url,
      simulatorServesLive,
      timeoutMs,
      isDemo,
    }),
    ...createProviders({
      log,
      simulator: simulator && {
        baseUrl: `${simulator.url}/v3`,
        webhookHash: simulator.webhookHash,
      },
      live: flutterwave,
      findLiveProvider: () => findLiveProvider(database.sql),
      simulatorServesLive,
      timeoutMs,
      isDemo,
    }),
  }
}
