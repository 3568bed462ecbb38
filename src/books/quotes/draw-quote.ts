// The printed content of a quote. A sent quote has it frozen; a draft is drawn as it is now.
import type { Actor } from '../../kernel/auth/actor.ts'
import { findBusiness } from '../../kernel/auth/business-store.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { findBrand } from '../../kernel/brand/brand-store.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { Contact } from '../contacts/contact.ts'
import { buildSnapshot } from '../documents/build-snapshot.ts'
import type { DocumentSnapshot } from '../documents/document-snapshot.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { listTaxCodesByIds } from '../taxes/tax-code-store.ts'
import type { Quote } from './quote.ts'

export async function freezeQuote(
  sql: Sql | Tx,
  actor: Actor,
  quote: Quote,
  contact: Contact,
  frozenAt: Date,
): Promise<DocumentSnapshot> {
  const codeIds = quote.lines.flatMap(({ taxCodeId }) => taxCodeId ?? [])
  const codes = await listTaxCodesByIds(sql, actor, codeIds)
  const business = assertDefined(await findBusiness(sql, actor.businessId), 'no such business')
  return buildSnapshot({
    ...quote,
    kind: 'quote',
    isSandbox: actor.environment === 'test',
    frozenAt,
    dueDate: quote.expiryDate,
    organisation: await findOrganisation(sql, actor),
    businessName: business.name,
    brand: await findBrand(sql, actor.businessId),
    contact,
    taxCodes: new Map(codes.map((code) => [code.id, code])),
  })
}
