import { Fault } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { MerchantContext } from '../context.ts'

// Asked when something payable is made, so that no payer meets a page that cannot take the money.
export async function requireCurrency(
  context: MerchantContext,
  tenant: Tenant,
  currency: string,
): Promise<void> {
  const provider = await context.providerFor(tenant)
  if (provider.supports(currency)) return
  throw new Fault('not_implemented', `Payments in ${currency} are not available.`)
}
