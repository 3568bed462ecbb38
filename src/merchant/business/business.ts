// The business in the merchant service: profile and verification. Both environments share the
// profile. A verification with test keys is a rehearsal: only test keys see it, and it does not
// verify the business.
import { z } from 'zod'
import type { Environment } from '../../kernel/basics/tenant.ts'
import { timestamp } from '../../kernel/operations/schemas.ts'

const kycStatuses = ['unverified', 'pending', 'verified', 'rejected'] as const
export type KycStatus = (typeof kycStatuses)[number]

export type Account = {
  readonly id: string
  readonly name: string
  readonly country: string
  readonly contactEmail: string
  readonly contactPhone: string | null
  readonly kycStatus: KycStatus
  readonly documentsSubmitted: number
  readonly beneficialOwnersVerified: number
  readonly settlementDestinationOnFile: boolean
  readonly takesRefundKeys: boolean
  readonly createdAt: Date
}

// The state of the verification: the profile's, or a rehearsal's.
export type Standing = Pick<
  Account,
  'kycStatus' | 'documentsSubmitted' | 'beneficialOwnersVerified'
> & { readonly rejectionReason: string | null }

export const accountSchema = z.object({
  id: z.uuid().meta({ description: 'The business.' }),
  name: z.string(),
  country: z.string().meta({ description: 'ISO 3166-1 alpha-2 code.' }),
  contact_email: z.string(),
  contact_phone: z.string().nullable(),
  kyc_status: z.enum(kycStatuses).meta({
    description: 'For a test key: the status of the newest rehearsal, if any.',
  }),
  kyc_rejection_reason: z.string().nullable().meta({
    description: 'Why the verification was rejected, so that the owner can fix it; null otherwise.',
  }),
  documents_submitted: z.int().min(0),
  beneficial_owners_verified: z.int().min(0),
  settlement_destination_on_file: z.boolean(),
  takes_refund_keys: z.boolean().meta({
    description: 'Whether refunds take an `Idempotency-Key`; a setting of the business.',
  }),
  environment: z.enum(['live', 'test']).meta({ description: 'The environment of the key.' }),
  created_at: timestamp(),
})

export function presentAccount(account: Account & Standing, environment: Environment) {
  return {
    id: account.id,
    name: account.name,
    country: account.country,
    contact_email: account.contactEmail,
    contact_phone: account.contactPhone,
    kyc_status: account.kycStatus,
    kyc_rejection_reason: account.rejectionReason,
    documents_submitted: account.documentsSubmitted,
    beneficial_owners_verified: account.beneficialOwnersVerified,
    settlement_destination_on_file: account.settlementDestinationOnFile,
    takes_refund_keys: account.takesRefundKeys,
    environment,
    created_at: account.createdAt,
  }
}
