import { z } from 'zod'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { brokenRule, notFound } from '../../kernel/basics/fault.ts'
import { ok } from '../../kernel/http/route.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { disabled } from '../checkout/offer-fields.ts'
import { defineOperation, defineRoute } from '../context.ts'
import { presentQrCode, type QrCode, qrCodeSchema } from './qr-code.ts'
import { lockQrCode, updateQrCode as updateStored } from './qr-code-store.ts'

export const updateQrCode = defineOperation({
  name: 'update-qr-code',
  summary: 'Disable a QR code, or enable it again',
  kind: 'write',
  input: z.strictObject({ id: uuid(), disabled }),
  scopes: ['qr_codes:write'],
  roles: writerRoles,
  run: (context, actor, input): Promise<QrCode> =>
    context.database.transaction(async (tx) => {
      const { id } = input
      const code = await lockQrCode(tx, actor, id)
      if (!code) throw notFound('QR code')
      const state = input.disabled ? 'disabled' : 'active'
      if (code.state === state) {
        context.call.nothingChanged()
        return code
      }
      if (code.state === 'used') throw brokenRule('A used QR code cannot be changed.')
      await updateStored(tx, actor, id, { state })
      await recordAct(tx, context, actor, {
        action: `qr_code.${input.disabled ? 'disable' : 'enable'}`,
        objectKind: 'qr_code',
        objectId: id,
      })
      return { ...code, state }
    }),
})

export const updateQrCodeRoute = defineRoute({
  operation: updateQrCode,
  method: 'PATCH',
  path: '/qr-codes/:id',
  operationId: 'updateQrCode',
  tag: 'QR codes',
  params: z.object({ id: uuid() }),
  body: z.strictObject({ disabled }),
  responses: { 200: { description: 'The QR code as it is now.', schema: qrCodeSchema } },
  faults: ['not_found'],
  input: ({ params, body }) => ({ ...body, id: params.id }),
  answer: (code, { publicUrl }, { actor }) => ok(presentQrCode(code, actor, publicUrl)),
})
