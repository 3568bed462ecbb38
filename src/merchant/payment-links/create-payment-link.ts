import { z } from 'zod'
import type { KeyActor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { invalidField } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import {
  claimIdempotencyKey,
  findEarlierObject,
  type IdempotentCall,
} from '../../kernel/http/idempotency.ts'
import { requireScope } from '../../kernel/http/mount-service.ts'
import { ok } from '../../kernel/http/route.ts'
import {
  currencyCode,
  dateTime,
  idempotencyKeyHeader,
  idempotencyKeyText,
  line,
  majorAmount,
  minorUnits,
  optionalText,
  uuid,
  webAddress,
} from '../../kernel/http/schemas.ts'
import { Decimal } from '../../kernel/money/decimal.ts'
import { requireVerified } from '../business/require-verified.ts'
import { defineRoute, type MerchantContext } from '../context.ts'
import { requireCurrency } from '../provider/require-currency.ts'
import { requireRecipient } from '../recipients/require-recipient.ts'
import { type PaymentLink, paymentLinkSchema, presentLink } from './payment-link.ts'
import { findLink, insertLink } from './payment-link-store.ts'

const keyMax = 255
const amountMin = new Decimal(1n, 2)
const amountMax = new Decimal(100_000_000n, 0)

const linkInput = z
  .strictObject({
    title: line(140),
    currency: currencyCode(),
    description: optionalText(500).optional(),
    amount: majorAmount(amountMin, amountMax)
      .optional()
      .meta({ description: 'What every payer pays.' }),
    presetAmount: majorAmount(amountMin, amountMax).optional().meta({
      description: 'What the page suggests and the payer may change. Not together with `amount`.',
    }),
    expiresAt: dateTime().optional().meta({ description: 'In the future.' }),
    imageUrl: webAddress().optional(),
    returnUrl: webAddress()
      .optional()
      .meta({
        description:
          'Where the payer is sent after checkout, with `payment_id` and `status` (`success` or ' +
          '`cancelled`) appended to the query. Without it we show a confirmation of our own.',
      }),
    idempotencyKey: idempotencyKeyText(keyMax)
      .optional()
      .meta({ description: 'The same as the header `Idempotency-Key`.' }),
    splitRecipientId: uuid()
      .optional()
      .meta({ description: 'Who receives the share of each charge. Needs `splits:assign`.' }),
  })
  .transform((input, refinement) => {
    if (input.amount !== undefined && input.presetAmount !== undefined) {
      const message = 'Send either amount or presetAmount.'
      refinement.addIssue({ code: 'custom', path: ['presetAmount'], message })
    }
    return {
      ...input,
      amountMinor: minorUnits(input, 'amount', refinement),
      presetAmountMinor: minorUnits(input, 'presetAmount', refinement),
    }
  })

type LinkInput = z.output<typeof linkInput>

export const createPaymentLink = defineRoute({
  method: 'POST',
  path: '/payment-links',
  operationId: 'createPaymentLink',
  tag: 'Payment links',
  summary: 'Create a payment link',
  description:
    'With `amount` every payer pays that, with `presetAmount` the payer may change it, with ' +
    'neither the payer says how much. A repeat with the same idempotency key, in the header or ' +
    'in the body, returns the link that the first call made.',
  scopes: ['payment_links:write'],
  bodyScopes: [{ scope: 'splits:assign', when: '`splitRecipientId` is set' }],
  headers: idempotencyKeyHeader(1, keyMax),
  body: linkInput,
  responses: {
    200: { description: 'The link, new or of an earlier call.', schema: paymentLinkSchema },
  },
  faults: ['not_implemented'],
  async handle(context, { actor, headers, body }) {
    const key = oneKey(headers['idempotency-key'], body.idempotencyKey)
    if (body.splitRecipientId !== undefined) requireScope(actor, ['splits:assign'])
    const { idempotencyKey: _, ...asked } = body
    const call = { operation: 'payment_links', key, body: asked }
    // Before all that a new link has to pass: a repeat gets its answer also when the business has
    // lost its verification meanwhile, or the expiry that was asked for is over.
    const earlierId = await findEarlierObject(context, actor, call)
    const link = earlierId
      ? assertDefined(await findLink(context.database.sql, actor, earlierId), vanished)
      : await create(context, actor, call, body)
    return ok(presentLink(link, actor, context.publicUrl, context.clock.now()))
  },
})

const vanished = 'an idempotent link vanished'

// The two forms of the key are one key, so they must not contradict each other.
function oneKey(inHeader: string | undefined, inBody: string | undefined): string | undefined {
  if (inHeader !== undefined && inBody !== undefined && inHeader !== inBody) {
    throw invalidField('idempotencyKey', 'Differs from the header Idempotency-Key.')
  }
  return inHeader ?? inBody
}

async function create(
  context: MerchantContext,
  actor: KeyActor,
  call: IdempotentCall,
  input: LinkInput,
): Promise<PaymentLink> {
  await requireVerified(context.database.sql, actor)
  const createdAt = context.clock.now()
  if (input.expiresAt && input.expiresAt <= createdAt) {
    throw invalidField('expiresAt', 'Must be in the future.')
  }
  await requireCurrency(context, actor, input.currency)
  const link = newLink(context.ids.uuid(), createdAt, input)
  return context.database.transaction((tx) => insertOnce(tx, context, actor, call, link))
}

async function insertOnce(
  tx: Tx,
  context: MerchantContext,
  actor: KeyActor,
  call: IdempotentCall,
  link: PaymentLink,
): Promise<PaymentLink> {
  const earlierId = await claimIdempotencyKey(tx, context, actor, call, link.id)
  if (earlierId) return assertDefined(await findLink(tx, actor, earlierId), vanished)
  await requireRecipient(tx, actor, link.splitRecipientId)
  await insertLink(tx, actor, link)
  await recordAct(tx, context, actor, {
    action: 'payment_link.create',
    objectKind: 'payment_link',
    objectId: link.id,
    detail: { split_recipient_id: link.splitRecipientId },
  })
  return link
}

function newLink(id: string, createdAt: Date, input: LinkInput): PaymentLink {
  return {
    id,
    state: 'active',
    title: input.title,
    description: input.description || null,
    currency: input.currency,
    amountMinor: input.amountMinor,
    presetAmountMinor: input.presetAmountMinor,
    expiresAt: input.expiresAt ?? null,
    imageUrl: input.imageUrl ?? null,
    returnUrl: input.returnUrl ?? null,
    splitRecipientId: input.splitRecipientId ?? null,
    createdAt,
  }
}
