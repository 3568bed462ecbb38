// The session of a hosted page, and its dossier.
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { findAccount } from '../business/business-store.ts'
import type { MerchantContext } from '../context.ts'
import { listDocuments } from './document-store.ts'
import type { Dossier } from './dossier.ts'
import { findDetails, listOwners } from './dossier-store.ts'
import { type Owner, ownerRow } from './owner.ts'
import { type Address, addressPath, isTokenOf, type Session } from './session.ts'
import { findNewestSubmitted, findSession } from './session-store.ts'

export type Opened = {
  readonly tenant: Tenant
  readonly session: Session
  // The path of all pages of this session.
  readonly path: string
}

export type OpenedDossier = Opened & {
  readonly dossier: Dossier
  readonly businessName: string
  readonly country: string
  readonly isSimulated: boolean
  // Whether this is about changes of a business that is verified already.
  readonly isVerified: boolean
  // Why the dossier was last rejected, while the owner corrects it.
  readonly lastRejection: string | undefined
}

// A wrong token and a missing session get the same response.
export async function openVerification(
  { database }: MerchantContext,
  address: Address,
): Promise<Opened | undefined> {
  const { tenant, id, token } = address
  const session = await findSession(database.sql, tenant, id)
  if (!session || !isTokenOf(session, token)) return undefined
  return { tenant, session, path: addressPath(address) }
}

export async function openDossier(
  context: MerchantContext,
  opened: Opened,
): Promise<OpenedDossier> {
  const { sql } = context.database
  const { tenant } = opened
  const account = assertDefined(
    await findAccount(sql, tenant.businessId),
    'a session without a business',
  )
  const last = await findNewestSubmitted(sql, tenant)
  const { isSimulated } = await context.verifierFor(tenant)
  return {
    ...opened,
    dossier: await readDossier(context, sql, tenant),
    businessName: account.name,
    country: account.country,
    isSimulated,
    isVerified: tenant.environment === 'live' && account.kycStatus === 'verified',
    lastRejection: last?.rejectionReason ?? undefined,
  }
}

export async function readDossier(
  context: MerchantContext,
  sql: Sql | Tx,
  tenant: Tenant,
): Promise<Dossier> {
  const sealedOwners = await listOwners(sql, tenant)
  return {
    details: await findDetails(sql, tenant),
    documents: await listDocuments(sql, tenant),
    owners: sealedOwners.map(({ bornOnSealed, ...owner }): Owner => {
      const bornOn = context.secrets.open(bornOnSealed, ownerRow(owner.id)).toString()
      return { ...owner, bornOn }
    }),
  }
}
