import { z } from 'zod'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { invalidField } from '../../kernel/basics/fault.ts'
import { ok } from '../../kernel/http/route.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import {
  currencyCode,
  dateTime,
  idempotencyKeyHeader,
  idempotencyKeyText,
  line,
  minorAmount,
  minorUnits,
  optionalText,
} from '../../kernel/operations/schemas.ts'
import { webAddress } from '../../kernel/operations/web-address.ts'
import { checkAmountLimit, limitedMajorAmount } from '../amount-limit.ts'
import { verified } from '../business/require-verified.ts'
import { metadata, reference, returnUrl, splitRecipientId } from '../checkout/offer-fields.ts'
import { defineOperation, defineRoute } from '../context.ts'
import { notPaused } from '../pauses/require-not-paused.ts'
import { requireCurrency } from '../provider/require-currency.ts'
import { requireRecipient } from '../recipients/require-recipient.ts'
import { checkItems, itemsBody, itemsInput, itemsOfBody, newItems } from './new-link-items.ts'
import { payerFields } from './payer-fields.ts'
import {
  type ItemisedLink,
  type PaymentLink,
  paymentLinkSchema,
  presentLink,
} from './payment-link.ts'
import { insertLinkItems } from './payment-link-item-store.ts'
import { insertLink } from './payment-link-store.ts'
import { readPaymentLink } from './read-payment-links.ts'

const keyMax = 255

const texts = {
  title: line(140),
  currency: currencyCode(),
  description: optionalText(500).optional(),
}
const notes = { reference, metadata }
const addresses = { imageUrl: webAddress().optional(), returnUrl }

const linkInput = z
  .strictObject({
    ...texts,
    amountMinor: minorAmount().nullish(),
    presetAmountMinor: minorAmount().nullish(),
    items: itemsInput,
    payerFields,
    expiresAt: z.date().optional(),
    ...addresses,
    splitRecipientId,
    ...notes,
  })
  .superRefine((input, refinement) => {
    checkAmountLimit(input, 'amountMinor', refinement)
    checkAmountLimit(input, 'presetAmountMinor', refinement)
    checkItems(input, refinement)
  })

const linkBody = z
  .strictObject({
    ...texts,
    amount: limitedMajorAmount()
      .optional()
      .meta({ description: 'The amount that every payer pays.' }),
    presetAmount: limitedMajorAmount().optional().meta({
      description:
        'The suggested amount, which the payer can change. Beside `amount` it has no effect.',
    }),
    expiresAt: dateTime().optional().meta({ description: 'Must be in the future.' }),
    ...addresses,
    idempotencyKey: idempotencyKeyText(keyMax)
      .optional()
      .meta({ description: 'The same as the header `Idempotency-Key`.' }),
    splitRecipientId,
    ...notes,
    items: itemsBody,
    payerFields,
  })
  .transform(({ amount, presetAmount, items, ...rest }, refinement) => {
    const { currency } = rest
    const asked = {
      ...rest,
      items: itemsOfBody({ currency, items }, refinement),
      amountMinor: minorUnits({ currency, amount }, 'amount', refinement),
      presetAmountMinor: minorUnits({ currency, presetAmount }, 'presetAmount', refinement),
    }
    checkItems(asked, refinement)
    return asked
  })

type LinkInput = z.output<typeof linkInput>

export const createPaymentLink = defineOperation({
  name: 'create-payment-link',
  summary: 'Create a payment link',
  kind: 'write',
  input: linkInput,
  scopes: ['payment_links:write'],
  inputScopes: ({ splitRecipientId }) => (splitRecipientId ? ['splits:assign'] : []),
  roles: writerRoles,
  idempotency: {
    name: 'payment_links',
    async replay({ database }, actor, id) {
      const link = await readPaymentLink(database.sql, actor, id)
      return assertDefined(link, 'an idempotent link vanished')
    },
  },
  checks: [verified, notPaused('payments')],
  async run(context, actor, input): Promise<ItemisedLink> {
    const link = newLink(context.ids.uuid(), context.clock.now(), input)
    if (link.expiresAt && link.expiresAt <= link.createdAt) {
      throw invalidField('expiresAt', 'Must be in the future.')
    }
    const items = newItems(link.id, input.items ?? [], context.ids.uuid)
    await requireCurrency(context, actor, link.currency)
    await context.database.transaction(async (tx) => {
      await context.call.claimKey(tx, link.id)
      await requireRecipient(tx, actor, link.splitRecipientId)
      await insertLink(tx, actor, link)
      if (items.length > 0) await insertLinkItems(tx, actor, items)
      await recordAct(tx, context, actor, {
        action: 'payment_link.create',
        objectKind: 'payment_link',
        objectId: link.id,
        detail: { split_recipient_id: link.splitRecipientId },
      })
    })
    return { ...link, items }
  },
})

export const createPaymentLinkRoute = defineRoute({
  operation: createPaymentLink,
  method: 'POST',
  path: '/payment-links',
  operationId: 'createPaymentLink',
  tag: 'Payment links',
  description:
    'With `amount` every payer pays that amount; with `presetAmount` the payer can change it; with ' +
    'neither the payer enters it. With `items` the payer pays for those. A repeat with the same idempotency key, in the header or ' +
    'the body, returns the link of the first call.',
  bodyScopes: [{ scope: 'splits:assign', when: '`splitRecipientId` is set' }],
  headers: idempotencyKeyHeader(1, keyMax),
  body: linkBody,
  responses: {
    200: { description: 'The link: new, or that of an earlier call.', schema: paymentLinkSchema },
  },
  faults: ['not_found', 'not_implemented', 'service_paused'],
  input: ({ body: { idempotencyKey: _, ...asked } }) => asked,
  idempotencyKey: ({ headers, body }) => oneKey(headers['idempotency-key'], body.idempotencyKey),
  answer: (link, { publicUrl, clock }, { actor }) =>
    ok(presentLink(link, actor, publicUrl, clock.now())),
})

// The header and the body contain the same key, so they must not contradict each other.
function oneKey(inHeader: string | undefined, inBody: string | undefined): string | undefined {
  if (inHeader !== undefined && inBody !== undefined && inHeader !== inBody) {
    throw invalidField('idempotencyKey', 'Differs from the header Idempotency-Key.')
  }
  return inHeader ?? inBody
}

function newLink(id: string, createdAt: Date, input: LinkInput): PaymentLink {
  return {
    id,
    state: 'active',
    title: input.title,
    description: input.description || null,
    currency: input.currency,
    amountMinor: input.amountMinor ?? null,
    presetAmountMinor: input.presetAmountMinor ?? null,
    expiresAt: input.expiresAt ?? null,
    imageUrl: input.imageUrl ?? null,
    returnUrl: input.returnUrl ?? null,
    splitRecipientId: input.splitRecipientId ?? null,
    reference: input.reference ?? null,
    metadata: input.metadata ?? {},
    payerFields: input.payerFields ?? {},
    createdAt,
  }
}
