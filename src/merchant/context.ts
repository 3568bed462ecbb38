import { routesOf } from '../kernel/http/route.ts'
import type { ServiceContext } from '../kernel/http/service.ts'
import type { Providers } from './provider/choose-provider.ts'

// `providerFor` throws the Fault `unavailable` where no provider is configured.
export type MerchantContext = ServiceContext & Providers

export const defineRoute = routesOf<MerchantContext>()
