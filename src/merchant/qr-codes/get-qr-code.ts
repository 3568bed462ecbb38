import { z } from 'zod'
import { notFound } from '../../kernel/basics/fault.ts'
import { ok } from '../../kernel/http/route.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation, defineRoute } from '../context.ts'
import { presentQrCode, type QrCode, qrCodeSchema } from './qr-code.ts'
import { findQrCode } from './qr-code-store.ts'

export const getQrCode = defineOperation({
  name: 'get-qr-code',
  summary: 'Read one QR code',
  kind: 'read',
  input: z.strictObject({ id: uuid() }),
  scopes: ['qr_codes:write'],
  roles: everyRole,
  async run({ database }, actor, { id }): Promise<QrCode> {
    const code = await findQrCode(database.sql, actor, id)
    if (!code) throw notFound('QR code')
    return code
  },
})

export const getQrCodeRoute = defineRoute({
  operation: getQrCode,
  method: 'GET',
  path: '/qr-codes/:id',
  operationId: 'getQrCode',
  tag: 'QR codes',
  params: z.object({ id: uuid() }),
  responses: { 200: { description: 'The QR code.', schema: qrCodeSchema } },
  faults: ['not_found'],
  input: ({ params }) => params,
  answer: (code, { publicUrl }, { actor }) => ok(presentQrCode(code, actor, publicUrl)),
})
