import { Fault } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { MerchantContext } from '../context.ts'

// Checked when something payable is created, so that no payer meets a page that can't take the
// money.
export async function requireCurrency(
  context: MerchantContext,
  tenant: Tenant,
  currency: string,
): Promise<void> {
  const provider = await context.providerFor(tenant)
  if (provider.supports(currency)) return
  throw new Fault('not_implemented', `Payments in ${currency} are not available.`)
}
