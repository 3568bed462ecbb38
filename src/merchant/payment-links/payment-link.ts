// A payment link: an address at which any number of payers can pay.
//
//   amount every payer pays this amount
//   preset amount the page suggests it; the payer can change it
//   neither the payer enters the amount
//   items what is sold, with prices and quantities, in place of an amount
import { z } from 'zod'
import { type Environment, environments, type Tenant } from '../../kernel/basics/tenant.ts'
import { currencyOf } from '../../kernel/money/currency.ts'
import { fromMinor } from '../../kernel/money/minor-units.ts'
import {
  describedAs,
  majorNumber,
  minorNumber,
  timestamp,
} from '../../kernel/operations/schemas.ts'
import { type Metadata, metadataSchema } from '../checkout/offer-fields.ts'
import { linkUrl } from '../checkout/page-addresses.ts'
import { type PayerFields, payerFieldsSchema } from './payer-fields.ts'
import { type LinkItem, linkItemSchema, presentItem } from './payment-link-item.ts'

export type PaymentLink = {
  readonly id: string
  // Stored. An active link expires by itself, see `linkState`.
  readonly state: 'active' | 'disabled'
  readonly title: string
  readonly description: string | null
  readonly currency: string
  readonly amountMinor: bigint | null
  readonly presetAmountMinor: bigint | null
  readonly expiresAt: Date | null
  readonly imageUrl: string | null
  readonly returnUrl: string | null
  readonly splitRecipientId: string | null
  readonly reference: string | null
  readonly metadata: Metadata
  readonly payerFields: PayerFields
  readonly createdAt: Date
}

export type ItemisedLink = PaymentLink & { readonly items: readonly LinkItem[] }

const linkStates = ['active', 'expired', 'disabled'] as const
export type LinkState = (typeof linkStates)[number]

// Expiry is computed and not stored, so that a link expires on time even if no job runs. At the
// expiry time itself, it has expired.
export function linkState(link: Pick<PaymentLink, 'state' | 'expiresAt'>, now: Date): LinkState {
  if (link.state === 'disabled') return 'disabled'
  return link.expiresAt !== null && link.expiresAt <= now ? 'expired' : 'active'
}

const address = () => describedAs(z.string(), { type: 'string', format: 'uri' })

export const paymentLinkSchema = z.object({
  id: z.uuid(),
  url: address().meta({ description: 'The page to send payers to.' }),
  state: z.enum(linkStates),
  title: z.string(),
  description: z.string().nullable(),
  currency: z.string(),
  amount: majorNumber().nullable(),
  amount_minor: minorNumber().nullable(),
  preset_amount: majorNumber().nullable(),
  preset_amount_minor: minorNumber().nullable(),
  items: z.array(linkItemSchema).meta({
    description: 'What is sold, in place of an amount. Empty for a link without items.',
  }),
  expires_at: timestamp().nullable(),
  image_url: address().nullable(),
  return_url: address().nullable(),
  split_recipient_id: z.uuid().nullable(),
  reference: z.string().nullable().meta({ example: 'order-1001' }),
  metadata: metadataSchema,
  payer_fields: payerFieldsSchema,
  environment: z.enum(environments),
  created_at: timestamp(),
})

export function presentLink(link: ItemisedLink, tenant: Tenant, publicUrl: string, now: Date) {
  const currency = currencyOf(link.currency)
  const inMajorUnits = (amountMinor: bigint | null) =>
    amountMinor === null ? null : fromMinor(amountMinor, currency)
  return {
    id: link.id,
    url: linkUrl(publicUrl, tenant, link.id),
    state: linkState(link, now),
    title: link.title,
    description: link.description,
    currency: link.currency,
    amount: inMajorUnits(link.amountMinor),
    amount_minor: link.amountMinor,
    preset_amount: inMajorUnits(link.presetAmountMinor),
    preset_amount_minor: link.presetAmountMinor,
    items: link.items.map((item) => presentItem(item, currency)),
    expires_at: link.expiresAt,
    image_url: link.imageUrl,
    return_url: link.returnUrl,
    split_recipient_id: link.splitRecipientId,
    reference: link.reference,
    metadata: link.metadata,
    payer_fields: link.payerFields,
    environment: tenant.environment satisfies Environment,
    created_at: link.createdAt,
  }
}
