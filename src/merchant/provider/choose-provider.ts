// Which provider serves whom. Test keys and demo businesses always meet the simulator; the live
// keys of all others meet the provider that the operator has configured. A real business must
// never take simulated money for money, and a demo must never move any. What one provider has
// collected is never asked of another.
import { Fault } from '../../kernel/basics/fault.ts'
import type { Log } from '../../kernel/basics/log.ts'
import type { Environment, Tenant } from '../../kernel/basics/tenant.ts'
import { createFlutterwave } from './flutterwave.ts'
import type { Provider, ProviderName } from './provider.ts'
import { isProviderMessage } from './provider-message.ts'

export type ProvidersOptions = {
  readonly log: Log
  readonly simulator: Account | undefined
  readonly live: (Account & { readonly secretKey: string }) | undefined
  // Whether the simulator replaces a live provider that is not configured: on the embedded
  // database, where people try the service out.
  readonly simulatorServesLive: boolean
  // The real provider that this database has, or had. The simulator does not stand in for it, and
  // it serves no one before simulated money was separated from real money (close-simulator.ts).
  findLiveProvider(): Promise<{ readonly separatedAt: Date | null } | undefined>
  readonly timeoutMs?: number | undefined
  isDemo(businessId: string): Promise<boolean>
}

type Account = {
  readonly baseUrl: string
  // The value of `verif-hash` in its messages; undefined if it sends none.
  readonly webhookHash: string | undefined
}

export type Providers = {
  // Whether no live key moves money. The front page says so.
  readonly isLiveSimulated: boolean
  providerFor(tenant: Tenant): Promise<Provider>
  // Whether a message for an environment contains the secret of its provider.
  isFromProvider(environment: Environment, header: string | readonly string[] | undefined): boolean
}

export function createProviders(options: ProvidersOptions): Providers {
  const { log, simulator, live, simulatorServesLive, findLiveProvider, timeoutMs, isDemo } = options
  const real = live && createFlutterwave({ ...live, log, timeoutMs })
  const simulated = (tenant: Tenant): Provider => {
    if (!simulator) throw noProvider()
    const { baseUrl } = simulator
    const secretKey = simulatorKey(tenant)
    const provider = createFlutterwave({ baseUrl, secretKey, log, timeoutMs })
    // Its payer pages are at our own address.
    return { ...provider, name: 'simulator', isSimulated: true, checkoutOrigins: [] }
  }
  let isSeparated = false
  const providerFor = async (tenant: Tenant): Promise<Provider> => {
    if (tenant.environment === 'test') return simulated(tenant)
    if (await isDemo(tenant.businessId)) return simulated(tenant)
    if (real) {
      isSeparated ||= Boolean((await findLiveProvider())?.separatedAt)
      if (isSeparated) return real
      throw new Fault('unavailable', 'The payment provider is not ready.')
    }
    if (simulatorServesLive && !(await findLiveProvider())) return simulated(tenant)
    throw noProvider()
  }
  return {
    isLiveSimulated: !real && simulatorServesLive,
    providerFor,
    // The simulator also sends messages for live keys of demos.
    isFromProvider(environment, header) {
      const accounts = environment === 'live' ? [live, simulator] : [simulator]
      return accounts.some((account) => isProviderMessage(header, account?.webhookHash ?? ''))
    },
  }
}

// The provider of what has gone to one before: unavailable if another one serves by now. Null is
// for what was made before it was kept (see the column in the database).
export async function providerOf(
  { providerFor }: Pick<Providers, 'providerFor'>,
  tenant: Tenant,
  name: ProviderName | null,
): Promise<Provider> {
  const provider = await providerFor(tenant)
  if (name === null || name === provider.name) return provider
  throw new Fault('unavailable', 'The payment provider of this payment is not configured.')
}

// The simulator keeps a separate world for every key of this form.
export function simulatorKey({ businessId, environment }: Tenant): string {
  return `FLWSECK${environment === 'test' ? '_TEST' : ''}-${businessId}-X`
}

function noProvider(): Fault {
  return new Fault('unavailable', 'No payment provider is configured.')
}
