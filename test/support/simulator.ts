// A test's actions at the simulated payment provider: paying as the payer, adding misbehaviour, and
// reading what was really done.
import type { Tenant } from '../../src/kernel/basics/tenant.ts'
import { simulatorKey } from '../../src/merchant/provider/choose-provider.ts'
import type { RunningSimulator } from '../../src/start/start-simulator.ts'

export type SimulatorControls = {
  // Of the server on loopback; the API is below /v3, the control API below /control.
  readonly url: string
  // Pays the newest checkout of a reference; `card` is a name or a number of src/simulator/charges.
  pay(tenant: Tenant, reference: string, card?: string): Promise<PaidCheckout>
  // Orders a misbehaviour: `{operation, effect, ...}`.
  rule(tenant: Tenant, rule: Record<string, unknown>): Promise<void>
  removeRules(tenant: Tenant): Promise<void>
  // How often each kind of thing was really done for a reference.
  effects(tenant: Tenant, reference: string): Promise<Record<string, number>>
  // Any call of the control API; an answer other than 2xx fails the test.
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  control(tenant: Tenant, method: string, path: string, body?: unknown): Promise<any>
  // Does everything that is due and waits until the webhooks have been answered.
  drain(): Promise<void>
}

export type PaidCheckout = {
  checkout: string
  redirect_url: string | null
  // biome-ignore lint/suspicious/noExplicitAny: a transaction as the provider shows it
  transaction: any
}

export function createSimulatorControls({
  url,
  drain,
}: Pick<RunningSimulator, 'url' | 'drain'>): SimulatorControls {
  const control: SimulatorControls['control'] = async (tenant, method, path, body) => {
    const response = await fetch(`${url}/control${path}`, {
      method,
      headers: { authorization: `Bearer ${simulatorKey(tenant)}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
    return JSON.parse(text)
  }
  return {
    url,
    drain,
    control,
    pay: (tenant, reference, card = 'no_auth') =>
      control(tenant, 'POST', '/pay', { tx_ref: reference, card }),
    async rule(tenant, rule) {
      await control(tenant, 'POST', '/rules', rule)
    },
    async removeRules(tenant) {
      await control(tenant, 'DELETE', '/rules')
    },
    async effects(tenant, reference) {
      const query = new URLSearchParams({ reference })
      return (await control(tenant, 'GET', `/effects?${query}`)).counts
    },
  }
}
