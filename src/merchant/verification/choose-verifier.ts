// Chooses the verifier, by the same rule as the payment provider: test keys and demos always use
// the simulated one. A real business must never be verified by a simulation, so with your own
// database other live keys have no verifier until one is configured.
import { Fault } from '../../kernel/basics/fault.ts'
import type { Log } from '../../kernel/basics/log.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import { simulatorKey } from '../provider/choose-provider.ts'
import { createSimulatedVerifier } from './simulated-verifier.ts'
import type { Verifier } from './verifier.ts'

export type VerifiersOptions = {
  readonly log: Log
  // The address of the simulator's server; undefined if it does not run.
  readonly simulatorUrl: string | undefined
  readonly simulatorServesLive: boolean
  readonly timeoutMs?: number | undefined
  isDemo(businessId: string): Promise<boolean>
}

export type Verifiers = { verifierFor(tenant: Tenant): Promise<Verifier> }

export function createVerifiers(options: VerifiersOptions): Verifiers {
  const { log, simulatorUrl, simulatorServesLive, timeoutMs, isDemo } = options
  return {
    async verifierFor(tenant) {
      const isServed =
        tenant.environment === 'test' || simulatorServesLive || (await isDemo(tenant.businessId))
      if (!isServed || simulatorUrl === undefined) {
        throw new Fault('unavailable', 'No verification of businesses is configured.')
      }
      const secretKey = simulatorKey(tenant)
      return createSimulatedVerifier({
        baseUrl: `${simulatorUrl}/identity`,
        secretKey,
        log,
        timeoutMs,
      })
    },
  }
}
