// A new business in both services at once. It stands above them because neither may know the
// other; everything happens in the caller's transaction.

import { openBooks } from '../books/settings/open-books.ts'
import { recordAct } from '../kernel/auth/audit-log.ts'
import { insertBusiness } from '../kernel/auth/business-store.ts'
import type { Context } from '../kernel/db/context.ts'
import type { Tx } from '../kernel/db/database.ts'
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

// `actorName` is the command that makes it: before there is a business, nobody belongs to one.
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
  await insertProfile(tx, id, { country, contactEmail, contactPhone, kycStatus, createdAt })
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
