// Creates a business in both services at once. It is above both services, because neither imports
// the other.

import { openBooks } from '../books/settings/open-books.ts'
import { addMembership } from '../kernel/auth/add-membership.ts'
import { recordAct } from '../kernel/auth/audit-log.ts'
import { insertBusiness } from '../kernel/auth/business-store.ts'
import { createPersonWithCredentials, type NewCredentials } from '../kernel/auth/create-person.ts'
import type { Context } from '../kernel/db/context.ts'
import type { Tx } from '../kernel/db/database.ts'
import type { ServiceContext } from '../kernel/operations/service-context.ts'
import type { KycStatus } from '../merchant/business/business.ts'
import { insertProfile } from '../merchant/business/business-store.ts'

export type NewBusiness = {
  readonly name: string
  readonly country: string
  readonly baseCurrency: string
  readonly contactEmail: string
  readonly contactPhone: string | null
  readonly kycStatus: KycStatus
  readonly isDemo: boolean
}

// `actorName` is the command that creates it, because a new business has no members yet.
export async function createBusiness(
  tx: Tx,
  context: Context,
  actorName: string,
  business: NewBusiness,
): Promise<string> {
  const id = context.ids.uuid()
  const createdAt = context.clock.now()
  const { name, isDemo, country, contactEmail, contactPhone, kycStatus } = business
  await insertBusiness(tx, { id, name, isDemo, createdAt })
  await insertProfile(tx, id, {
    country,
    contactEmail,
    contactPhone,
    kycStatus,
    mailsReceipts: true,
    mailsRenewals: true,
    mailsRefunds: true,
    mailsSubscriptionStarts: true,
    mailsFailedRenewals: true,
    mailsSubscriptionEnds: true,
    createdAt,
  })
  await openBooks(tx, context, id, business.baseCurrency)
  const actor = { kind: 'system', name: actorName, businessId: id, environment: 'live' } as const
  await recordAct(tx, context, actor, {
    action: 'business.create',
    objectKind: 'business',
    objectId: id,
    detail: { name, country, base_currency: business.baseCurrency, kyc_status: kycStatus },
  })
  return id
}

export type BusinessWithOwner = NewCredentials & { readonly businessId: string }

// One transaction, because no one could use a business without an owner.
export async function createBusinessWithOwner(
  context: ServiceContext,
  actorName: string,
  business: Omit<NewBusiness, 'kycStatus' | 'isDemo'>,
  owner: { readonly name: string; readonly email: string },
): Promise<BusinessWithOwner> {
  let businessId = ''
  const credentials = await createPersonWithCredentials(
    context,
    context.secrets,
    owner,
    async (tx, personId) => {
      businessId = await createBusiness(tx, context, actorName, {
        ...business,
        kycStatus: 'unverified',
        isDemo: false,
      })
      const actor = { kind: 'system', name: actorName, businessId, environment: 'live' } as const
      await addMembership(tx, context, { businessId, personId, role: 'owner' }, actor)
    },
  )
  return { businessId, ...credentials }
}
