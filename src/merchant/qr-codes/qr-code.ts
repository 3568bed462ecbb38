// A QR code that payers scan and pay. A single-use code is reserved by the first payment, released
// if that payment fails, and used up when it succeeds.
import { z } from 'zod'
import { environments, type Tenant } from '../../kernel/basics/tenant.ts'
import { describedAs, minorNumber, timestamp } from '../../kernel/operations/schemas.ts'
import { type Metadata, metadataSchema } from '../checkout/offer-fields.ts'
import { qrCodeUrl } from '../checkout/page-addresses.ts'

export const qrCodeModes = ['fixed_amount', 'open_amount'] as const
const qrCodeStates = ['active', 'used', 'disabled'] as const

export type QrCode = {
  readonly id: string
  readonly state: (typeof qrCodeStates)[number]
  readonly mode: (typeof qrCodeModes)[number]
  readonly currency: string
  // Of an open code: a suggestion, or null.
  readonly amountMinor: bigint | null
  readonly description: string | null
  readonly singleUse: boolean
  readonly returnUrl: string | null
  readonly splitRecipientId: string | null
  // The payment that has reserved a single-use code.
  readonly reservedBy: string | null
  readonly reference: string | null
  readonly metadata: Metadata
  readonly createdAt: Date
}

// Whether a payment can start with it now.
export function isPayable(code: Pick<QrCode, 'state' | 'reservedBy'>): boolean {
  return code.state === 'active' && code.reservedBy === null
}

const address = () => describedAs(z.string(), { type: 'string', format: 'uri' })

export const qrCodeSchema = z.object({
  id: z.uuid(),
  url: address().meta({ description: 'The content of the code: the address of the payment page.' }),
  png_url: address().meta({ description: 'The code as an image for screens.' }),
  svg_url: address().meta({ description: 'The code as an image for print.' }),
  state: z.enum(qrCodeStates),
  mode: z.enum(qrCodeModes),
  currency: z.string(),
  amount: minorNumber().nullable(),
  description: z.string().nullable(),
  single_use: z.boolean(),
  return_url: address().nullable(),
  split_recipient_id: z.uuid().nullable(),
  reference: z.string().nullable().meta({ example: 'order-1001' }),
  metadata: metadataSchema,
  environment: z.enum(environments),
  created_at: timestamp(),
})

export function presentQrCode(code: QrCode, tenant: Tenant, publicUrl: string) {
  const url = qrCodeUrl(publicUrl, tenant, code.id)
  return {
    id: code.id,
    url,
    png_url: `${url}.png`,
    svg_url: `${url}.svg`,
    state: code.state,
    mode: code.mode,
    currency: code.currency,
    amount: code.amountMinor,
    description: code.description,
    single_use: code.singleUse,
    return_url: code.returnUrl,
    split_recipient_id: code.splitRecipientId,
    reference: code.reference,
    metadata: code.metadata,
    environment: tenant.environment,
    created_at: code.createdAt,
  }
}
