import { z } from 'zod'
import type { KeyActor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { ok } from '../../kernel/http/route.ts'
import { requireScope } from '../../kernel/operations/permission.ts'
import {
  currencyCode,
  minorAmount,
  oneOf,
  optionalText,
  uuid,
  webAddress,
} from '../../kernel/operations/schemas.ts'
import { requireVerified } from '../business/require-verified.ts'
import { defineHandledRoute, type MerchantContext } from '../context.ts'
import { requireCurrency } from '../provider/require-currency.ts'
import { requireRecipient } from '../recipients/require-recipient.ts'
import { presentQrCode, type QrCode, qrCodeModes, qrCodeSchema } from './qr-code.ts'
import { insertQrCode } from './qr-code-store.ts'

const amountMinorMax = 10_000_000_000n

const qrCodeInput = z
  .strictObject({
    mode: oneOf(qrCodeModes).meta({ example: 'open_amount' }),
    currency: currencyCode(),
    amount: minorAmount(amountMinorMax)
      .optional()
      .meta({ description: 'Required for `fixed_amount`, not allowed for `open_amount`.' }),
    description: optionalText(140).optional(),
    singleUse: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether one payment uses the code up.' }),
    returnUrl: webAddress()
      .optional()
      .meta({
        description:
          'Where the payer is sent after checkout, with `payment_id` and `status` (`success` or ' +
          '`cancelled`) appended to the query. Without it we show a confirmation of our own.',
      }),
    splitRecipientId: uuid()
      .optional()
      .meta({ description: 'Who receives the share of each charge. Needs `splits:assign`.' }),
  })
  .superRefine(({ mode, amount }, refinement) => {
    if ((mode === 'fixed_amount') === (amount !== undefined)) return
    const message =
      mode === 'fixed_amount'
        ? 'Required when mode is fixed_amount.'
        : 'The payer of an open_amount code says how much: send no amount.'
    refinement.addIssue({ code: 'custom', path: ['amount'], message })
  })

export const createQrCode = defineHandledRoute({
  method: 'POST',
  path: '/qr-codes',
  operationId: 'createQrCode',
  tag: 'QR codes',
  summary: 'Create a QR code',
  description:
    'The code leads to a page where it can be paid. It is made as a PNG and as an SVG. A ' +
    'single-use code is held by the payment that is begun first and free again when that fails.',
  scopes: ['qr_codes:write'],
  bodyScopes: [{ scope: 'splits:assign', when: '`splitRecipientId` is set' }],
  body: qrCodeInput,
  responses: { 200: { description: 'The new QR code.', schema: qrCodeSchema } },
  faults: ['not_implemented'],
  async handle(context, { actor, body }) {
    if (body.splitRecipientId !== undefined) requireScope(actor, ['splits:assign'])
    await requireVerified(context.database.sql, actor)
    await requireCurrency(context, actor, body.currency)
    const code: QrCode = {
      id: context.ids.uuid(),
      state: 'active',
      mode: body.mode,
      currency: body.currency,
      amountMinor: body.amount ?? null,
      description: body.description || null,
      singleUse: body.singleUse,
      returnUrl: body.returnUrl ?? null,
      splitRecipientId: body.splitRecipientId ?? null,
      reservedBy: null,
      createdAt: context.clock.now(),
    }
    await create(context, actor, code)
    return ok(presentQrCode(code, actor, context.publicUrl))
  },
})

async function create(context: MerchantContext, actor: KeyActor, code: QrCode): Promise<void> {
  await context.database.transaction(async (tx) => {
    await requireRecipient(tx, actor, code.splitRecipientId)
    await insertQrCode(tx, actor, code)
    await recordAct(tx, context, actor, {
      action: 'qr_code.create',
      objectKind: 'qr_code',
      objectId: code.id,
      detail: { split_recipient_id: code.splitRecipientId },
    })
  })
}
