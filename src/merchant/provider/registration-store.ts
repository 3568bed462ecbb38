import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'

// Of all tenants: businesses that are no demo and have something live that only the simulator
// knows.
export async function listSimulatedRegistrations(sql: Sql): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select business.id
    from kernel.businesses as business
    join merchant.profiles as profile
      on profile.business_id = business.id
    where not business.is_demo
      and (
        (profile.kyc_simulated and profile.kyc_status = 'verified')
        or exists (
          select
          from merchant.split_recipients as recipient
          where recipient.business_id = business.id
            and recipient.environment = 'live'
            and recipient.provider = 'simulator'
            and recipient.subaccount_id is not null
        )
      )
    order by business.id`
  return rows.map(({ id }) => id)
}

// Disabled too, so that a new registration pays no one before someone enables it.
export async function updateRecipientsUnregistered(
  tx: Tx,
  tenant: Tenant,
  updatedAt: Date,
): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    update merchant.split_recipients
    set subaccount_id = null,
      account_name = null,
      verified = false,
      disabled = true,
      sends = 0,
      sent_at = null,
      updated_at = ${updatedAt}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and provider = 'simulator'
      and subaccount_id is not null
    returning id`
  return rows.map(({ id }) => id)
}

// False if the operator or another verifier has verified the business.
export async function updateSimulatedVerification(
  tx: Tx,
  tenant: Tenant,
  updatedAt: Date,
): Promise<boolean> {
  const rows = await tx`
    update merchant.profiles
    set kyc_status = 'unverified',
      kyc_simulated = false,
      updated_at = ${updatedAt}
    where business_id = ${tenant.businessId}
      and kyc_simulated
      and kyc_status = 'verified'
    returning business_id`
  return rows.length > 0
}
