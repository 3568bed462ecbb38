import { operationRoutesOf } from '../kernel/http/route.ts'
import { operationsOf } from '../kernel/operations/operation.ts'
import type { ServiceContext } from '../kernel/operations/service-context.ts'
import type { Providers } from './provider/choose-provider.ts'
import type { Verifiers } from './verification/choose-verifier.ts'

export type Compared = 'charges' | 'splits' | 'refunds' | 'chargebacks'

// `providerFor` and `verifierFor` throw the Fault `unavailable` if none is configured.
export type MerchantContext = ServiceContext &
  Providers &
  Verifiers & {
    // Called for each comparison with the provider that failed.
    readonly onReconciliationFailed?: (what: Compared) => void
  }

export const defineOperation = operationsOf<MerchantContext>()
export const defineRoute = operationRoutesOf<MerchantContext>()
