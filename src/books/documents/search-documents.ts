// The lists of the application. Unlike `list-documents`, which answers the interface, it knows
// views, finds parts of texts, and sums what is found.
import { z } from 'zod'
import { invalidField } from '../../kernel/basics/fault.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { day, optionalLine, uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { amountsOf } from '../input/searched-amounts.ts'
import { today } from '../settings/organisation.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { listDocumentSums, listFoundDocuments } from './document-search-store.ts'
import { documentKinds, documentSides, purchaseKinds, salesKinds } from './document-status.ts'
import { documentViews } from './document-view.ts'

const limitMax = 1000
const textMax = 160

export const searchDocuments = defineOperation({
  name: 'search-documents',
  summary: 'Search documents by text and state, with totals',
  kind: 'read',
  input: z.strictObject({
    side: z.enum(documentSides),
    kind: z.enum(documentKinds).optional(),
    view: z.enum(documentViews).optional(),
    // Part of a number, a reference or the contact's name, or an amount.
    text: optionalLine(textMax).optional(),
    contactId: uuid().optional(),
    from: day().optional(),
    to: day().optional(),
    // The last document of the page before.
    after: uuid().optional(),
    limit: z.int().min(1).max(limitMax).default(50),
    isSummed: z.boolean().default(true),
  }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql }, clock }, actor, { side, kind, after, limit, isSummed, ...asked }) {
    const { from, to, text } = asked
    if (from && to && from > to) throw invalidField('from', 'Must not be after the last day.')
    const organisation = await findOrganisation(sql, actor)
    const ofSide = side === 'sales' ? salesKinds : purchaseKinds
    const wanted = {
      ...asked,
      kinds: kind ? ofSide.filter((one) => one === kind) : ofSide,
      amounts: text ? amountsOf(text) : [],
      today: today(organisation, clock.now()),
    }
    const [found, sums] = await Promise.all([
      listFoundDocuments(sql, actor, wanted, { limit: limit + 1, after }),
      isSummed ? listDocumentSums(sql, actor, wanted) : [],
    ])
    const documents = found.slice(0, limit)
    const next = found.length > limit ? documents.at(-1)?.id : undefined
    return { documents, sums, next }
  },
})
