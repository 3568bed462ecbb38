// A payment in the sandbox, from the link to the money and back: the same operations that a
// merchant's program, a payer and the provider set off.
import { assertDefined } from '../../kernel/basics/assert.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { ServiceContext } from '../../kernel/operations/service-context.ts'
import { finishCheckout } from '../../merchant/checkout/finish-checkout.ts'
import { openLinkOffer } from '../../merchant/checkout/open-offer.ts'
import { startCheckout } from '../../merchant/checkout/start-checkout.ts'
import type { MerchantContext } from '../../merchant/context.ts'
import { createPaymentLinkRoute } from '../../merchant/payment-links/create-payment-link.ts'
import { listPayments } from '../../merchant/payments/list-payments.ts'
import { findPayment } from '../../merchant/payments/payment-store.ts'
import { refundPaymentRoute } from '../../merchant/refunds/refund-payment.ts'
import { startSimulator, withProviders } from '../../start/start-simulator.ts'
import { payAtSimulator } from './pay-at-simulator.ts'
import { callRoute, findTriggerKey } from './trigger-key.ts'

export type PaymentStory = 'paid' | 'declined' | 'refunded'

// Names of the provider's test cards.
const cards = { paid: 'no_auth', declined: 'insufficient_funds', refunded: 'no_auth' } as const

// Answers the id of the payment.
export async function triggerPayment(
  base: ServiceContext,
  tenant: Tenant,
  story: PaymentStory,
): Promise<string> {
  // One of our own, beside that of the service: they share what they know through the database.
  const simulator = await startSimulator(base, { port: 0, ownUrl: () => base.publicUrl })
  try {
    const context = withProviders(base, simulator, {
      flutterwave: undefined,
      simulatorServesLive: false,
    })
    const id = await begin(context, tenant)
    const { sql } = context.database
    const payment = assertDefined(await findPayment(sql, tenant, id), 'a payment vanished')
    await payAtSimulator(simulator.url, tenant, payment.providerReference, cards[story])
    await finishCheckout(context, { tenant, id }, false)
    if (story === 'refunded') {
      const actor = await findTriggerKey(context, tenant, 'merchant')
      await callRoute(refundPaymentRoute, context, actor, { params: { id } })
    }
    return id
  } finally {
    await simulator.close()
  }
}

async function begin(context: MerchantContext, tenant: Tenant): Promise<string> {
  const actor = await findTriggerKey(context, tenant, 'merchant')
  const order = { title: 'An order of cli trigger', currency: 'NGN', amount: 4500 }
  const { id } = await callRoute(createPaymentLinkRoute, context, actor, { body: order })
  const linkId = String(id)
  const offer = assertDefined(
    await openLinkOffer(context, { tenant, id: linkId }),
    'a link vanished',
  )
  const started = await startCheckout(context, {
    offer,
    amountMinor: 450_000n,
    payerEmail: 'payer@example.com',
    token: context.ids.uuid(),
  })
  if (started.kind === 'paused') throw new Fault('unavailable', 'New payments are paused.')
  if (started.kind !== 'hand_over') {
    throw new Fault('unavailable', `The payment could not be begun: ${started.kind}.`)
  }
  const { data } = await callRoute(listPayments, context, actor, { query: { limit: '100' } })
  const listed = data as { id: string; payment_link_id: string | null }[]
  const ours = listed.find(({ payment_link_id }) => payment_link_id === linkId)
  return assertDefined(ours, 'a payment that was begun is listed').id
}
