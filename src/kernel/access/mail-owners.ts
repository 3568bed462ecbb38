// Mails the owners of a business. It is part of the transaction of the change, which must not fail
// because of an invalid mail address.
import { findBusiness } from '../auth/business-store.ts'
import { listOwners } from '../auth/membership-store.ts'
import type { Tenant } from '../basics/tenant.ts'
import type { Context } from '../db/context.ts'
import type { Tx } from '../db/database.ts'
import { parseMailAddress } from '../mail/mail.ts'
import { queueMail } from '../mail/queue-mail.ts'

const ownersMax = 20

export type Letter = {
  readonly subject: string
  // The lines of the text, given the name of the business.
  lines(businessName: string): readonly string[]
  // Recipients besides the owners.
  readonly also?: readonly string[]
}

export async function mailOwners(
  tx: Tx,
  context: Pick<Context, 'clock' | 'ids'>,
  { businessId, environment }: Tenant,
  { subject, lines, also = [] }: Letter,
): Promise<void> {
  const owners = (await listOwners(tx, businessId)).slice(0, ownersMax)
  const addresses = [...also, ...owners.map(({ email }) => email)]
  const to = addresses.flatMap((address) => parseMailAddress(address) ?? [])
  if (to.length === 0) return
  const business = await findBusiness(tx, businessId)
  await queueMail(tx, context, {
    tenant: { businessId, environment },
    kind: 'notice',
    to: [...new Set(to)],
    subject,
    text: [...lines(business?.name ?? ''), ''].join('\n'),
  })
}
