import { routesOf } from '../kernel/http/route.ts'
import type { ServiceContext } from '../kernel/http/service.ts'

export type MerchantContext = ServiceContext

export const defineRoute = routesOf<MerchantContext>()
