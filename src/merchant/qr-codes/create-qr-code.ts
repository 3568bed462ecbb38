import { z } from 'zod'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { ok } from '../../kernel/http/route.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { currencyCode, minorAmount, oneOf, optionalText } from '../../kernel/operations/schemas.ts'
import { verified } from '../business/require-verified.ts'
import { metadata, reference, returnUrl, splitRecipientId } from '../checkout/offer-fields.ts'
import { defineOperation, defineRoute } from '../context.ts'
import { notPaused } from '../pauses/require-not-paused.ts'
import { requireCurrency } from '../provider/require-currency.ts'
import { requireRecipient } from '../recipients/require-recipient.ts'
import { presentQrCode, type QrCode, qrCodeModes, qrCodeSchema } from './qr-code.ts'
import { insertQrCode } from './qr-code-store.ts'

const amountMinorMax = 10_000_000_000n

const price = {
  mode: oneOf(qrCodeModes).meta({ example: 'open_amount' }),
  currency: currencyCode(),
}
const details = {
  description: optionalText(140).optional(),
  singleUse: z
    .boolean()
    .default(false)
    .meta({ description: 'Whether one payment uses the code up.' }),
  returnUrl,
  splitRecipientId,
  reference,
  metadata,
}

const codeInput = z
  .strictObject({ ...price, amountMinor: minorAmount(amountMinorMax).optional(), ...details })
  .superRefine((input, refinement) => checkAmount(input, 'amountMinor', refinement))

const codeBody = z
  .strictObject({
    ...price,
    amount: minorAmount(amountMinorMax).optional().meta({
      description:
        'Required for `fixed_amount`. For `open_amount`, a suggestion that the payer can change.',
    }),
    ...details,
  })
  .superRefine((body, refinement) => checkAmount(body, 'amount', refinement))

function checkAmount<Field extends string>(
  code: Pick<QrCode, 'mode'> & { readonly [name in Field]?: bigint | undefined },
  field: Field,
  refinement: z.RefinementCtx,
): void {
  if (code.mode !== 'fixed_amount' || code[field] !== undefined) return
  const message = 'Required when mode is fixed_amount.'
  refinement.addIssue({ code: 'custom', path: [field], message })
}

export const createQrCode = defineOperation({
  name: 'create-qr-code',
  summary: 'Create a QR code',
  kind: 'write',
  input: codeInput,
  scopes: ['qr_codes:write'],
  inputScopes: ({ splitRecipientId }) => (splitRecipientId ? ['splits:assign'] : []),
  roles: writerRoles,
  checks: [verified, notPaused('payments')],
  async run(context, actor, input): Promise<QrCode> {
    await requireCurrency(context, actor, input.currency)
    const code: QrCode = {
      id: context.ids.uuid(),
      state: 'active',
      mode: input.mode,
      currency: input.currency,
      amountMinor: input.amountMinor ?? null,
      description: input.description || null,
      singleUse: input.singleUse,
      returnUrl: input.returnUrl ?? null,
      splitRecipientId: input.splitRecipientId ?? null,
      reservedBy: null,
      reference: input.reference ?? null,
      metadata: input.metadata ?? {},
      createdAt: context.clock.now(),
    }
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
    return code
  },
})

export const createQrCodeRoute = defineRoute({
  operation: createQrCode,
  method: 'POST',
  path: '/qr-codes',
  operationId: 'createQrCode',
  tag: 'QR codes',
  description:
    'The code leads to a page where it can be paid. There is a PNG and an SVG image. A ' +
    'single-use code is reserved by the first payment, and released if that payment fails.',
  bodyScopes: [{ scope: 'splits:assign', when: '`splitRecipientId` is set' }],
  body: codeBody,
  responses: { 200: { description: 'The new QR code.', schema: qrCodeSchema } },
  faults: ['not_found', 'not_implemented', 'service_paused'],
  input: ({ body: { amount, ...code } }) => ({ ...code, amountMinor: amount }),
  answer: (code, { publicUrl }, { actor }) => ok(presentQrCode(code, actor, publicUrl)),
})
