import { z } from 'zod'
import { invalidField } from '../../kernel/basics/fault.ts'
import { ok } from '../../kernel/http/route.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { searchText } from '../../kernel/operations/schemas.ts'
import { reference } from '../checkout/offer-fields.ts'
import { defineOperation, defineRoute } from '../context.ts'
import {
  limitDefault,
  type Page,
  pageDescription,
  pageInput,
  pageOf,
  pageQuery,
  pageSchema,
  presentPage,
} from '../page.ts'
import { presentQrCode, type QrCode, qrCodeSchema } from './qr-code.ts'
import { findQrCode, listQrCodes as listStored } from './qr-code-store.ts'

export const listQrCodes = defineOperation({
  name: 'list-qr-codes',
  summary: 'List QR codes, newest first',
  kind: 'read',
  input: z.strictObject({ ...pageInput, reference, search: searchText.optional() }),
  scopes: ['qr_codes:write'],
  roles: everyRole,
  async run({ database: { sql } }, actor, wanted): Promise<Page<QrCode>> {
    const { limit, startingAfter } = wanted
    if (startingAfter && !(await findQrCode(sql, actor, startingAfter))) {
      throw invalidField('starting_after', 'Must be the id of a QR code.')
    }
    return pageOf(await listStored(sql, actor, wanted), limit)
  },
})

export const listQrCodesRoute = defineRoute({
  operation: listQrCodes,
  method: 'GET',
  path: '/qr-codes',
  operationId: 'listQrCodes',
  tag: 'QR codes',
  description: pageDescription,
  query: z.strictObject({
    ...pageQuery,
    reference: reference.meta({ description: 'Only those with this reference.' }),
  }),
  responses: { 200: { description: 'One page of QR codes.', schema: pageSchema(qrCodeSchema) } },
  input: ({ query }) => ({
    limit: query.limit ?? limitDefault,
    startingAfter: query.starting_after,
    reference: query.reference,
  }),
  answer: (page, { publicUrl }, { actor }) =>
    ok(
      presentPage(
        page.items.map((one) => presentQrCode(one, actor, publicUrl)),
        page,
      ),
    ),
})
