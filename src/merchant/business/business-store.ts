import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { Account, KycStatus } from './business.ts'

export async function findAccount(sql: Sql | Tx, businessId: string): Promise<Account | undefined> {
  const [row] = await sql<Account[]>`
    select
      business.id,
      business.name,
      profile.country,
      profile.contact_email,
      profile.contact_phone,
      profile.kyc_status,
      (select count(*)::int
       from merchant.verification_documents
       where business_id = ${businessId}
         and environment = 'live'
         and submitted_at is not null
         and removed_at is null) as documents_submitted,
      (select count(*)::int
       from merchant.beneficial_owners
       where business_id = ${businessId}
         and environment = 'live'
         and verified_at is not null) as beneficial_owners_verified,
      exists (
        select
        from merchant.settlement_accounts
        where business_id = ${businessId}) as settlement_destination_on_file,
      profile.takes_refund_keys,
      business.created_at
    from kernel.businesses as business
    join merchant.profiles as profile on profile.business_id = business.id
    where business.id = ${businessId}`
  return row
}

export async function findKycStatus(
  sql: Sql | Tx,
  businessId: string,
): Promise<KycStatus | undefined> {
  const [row] = await sql<{ kycStatus: KycStatus }[]>`
    select kyc_status
    from merchant.profiles
    where business_id = ${businessId}`
  return row?.kycStatus
}

export async function findTakesRefundKeys(
  sql: Sql | Tx,
  businessId: string,
): Promise<boolean | undefined> {
  const [row] = await sql<{ takesRefundKeys: boolean }[]>`
    select takes_refund_keys
    from merchant.profiles
    where business_id = ${businessId}`
  return row?.takesRefundKeys
}

export async function updateTakesRefundKeys(
  tx: Tx,
  businessId: string,
  takesRefundKeys: boolean,
  updatedAt: Date,
): Promise<void> {
  await tx`
    update merchant.profiles
    set takes_refund_keys = ${takesRefundKeys}, updated_at = ${updatedAt}
    where business_id = ${businessId}`
}

export async function insertProfile(
  tx: Tx,
  businessId: string,
  profile: {
    country: string
    contactEmail: string
    contactPhone: string | null
    kycStatus: KycStatus
    mailsReceipts: boolean
    mailsRenewals: boolean
    mailsRefunds: boolean
    mailsSubscriptionStarts: boolean
    mailsFailedRenewals: boolean
    mailsSubscriptionEnds: boolean
    createdAt: Date
  },
): Promise<void> {
  await tx`
    insert into merchant.profiles ${tx({ businessId, ...profile, updatedAt: profile.createdAt })}`
}

export async function insertVerificationDocument(
  tx: Tx,
  businessId: string,
  document: { id: string; kind: string; submittedAt: Date },
): Promise<void> {
  await tx`insert into merchant.verification_documents ${tx({ businessId, ...document })}`
}

export async function insertBeneficialOwner(
  tx: Tx,
  businessId: string,
  owner: { id: string; name: string; verifiedAt: Date | null; createdAt: Date },
): Promise<void> {
  await tx`insert into merchant.beneficial_owners ${tx({ businessId, ...owner })}`
}
