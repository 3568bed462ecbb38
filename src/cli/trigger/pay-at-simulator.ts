// Pays as the payer at the simulated provider, with one call instead of its pages.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import { simulatorKey } from '../../merchant/provider/choose-provider.ts'

export async function payAtSimulator(
  simulatorUrl: string,
  tenant: Tenant,
  reference: string,
  card: string,
): Promise<void> {
  const response = await fetch(`${simulatorUrl}/control/pay`, {
    method: 'POST',
    headers: { authorization: `Bearer ${simulatorKey(tenant)}` },
    body: JSON.stringify({ tx_ref: reference, card }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`the simulated provider answered ${response.status}: ${text}`)
}
