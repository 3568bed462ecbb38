// Runs a payment in the sandbox, from the link to the refund, with the same operations that a
// merchant's program, a payer and the provider cause.
import type { SystemActor } from '../../kernel/auth/actor.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import { runOperation } from '../../kernel/operations/run-operation.ts'
import type { ServiceContext } from '../../kernel/operations/service-context.ts'
import { finishCheckout } from '../../merchant/checkout/finish-checkout.ts'
import { openLinkOffer } from '../../merchant/checkout/open-offer.ts'
import { startCheckout } from '../../merchant/checkout/start-checkout.ts'
import type { MerchantContext } from '../../merchant/context.ts'
import { createPaymentLink } from '../../merchant/payment-links/create-payment-link.ts'
import { listPayments } from '../../merchant/payments/list-payments.ts'
import type { Payment } from '../../merchant/payments/payment.ts'
import { refundPayment } from '../../merchant/refunds/refund-payment.ts'
import { startSimulator, withProviders } from '../../start/start-simulator.ts'
import { payAtSimulator } from './pay-at-simulator.ts'

export type PaymentStory = 'paid' | 'declined' | 'refunded'

// Names of the provider's test cards.
const cards = { paid: 'no_auth', declined: 'insufficient_funds', refunded: 'no_auth' } as const

const amountMinor = 450_000n

// Returns the payment's id.
export async function triggerPayment(
  base: ServiceContext,
  tenant: Tenant,
  story: PaymentStory,
): Promise<string> {
  // This process starts its own simulator. It shares its state with the service's through the
  // database.
  const simulator = await startSimulator(base, { port: 0, ownUrl: () => base.publicUrl })
  try {
    const context = withProviders(base, simulator, {
      flutterwave: undefined,
      simulatorServesLive: false,
    })
    const actor: SystemActor = { ...tenant, kind: 'system', name: 'cli trigger' }
    const { id, providerReference } = await begin(context, actor)
    await payAtSimulator(simulator.url, tenant, providerReference, cards[story])
    const options = { saysCancelled: false, mayAskAgain: async () => true }
    await finishCheckout(context, { tenant, id }, options)
    if (story === 'refunded') await runOperation(refundPayment, context, actor, { paymentId: id })
    return id
  } finally {
    await simulator.close()
  }
}

async function begin(context: MerchantContext, actor: SystemActor): Promise<Payment> {
  const order = { title: 'An order of cli trigger', currency: 'NGN', amountMinor }
  const link = await runOperation(createPaymentLink, context, actor, order)
  const { businessId, environment } = actor
  const offer = assertDefined(
    await openLinkOffer(context, { tenant: { businessId, environment }, id: link.id }),
    'a link vanished',
  )
  const started = await startCheckout(context, {
    offer,
    amountMinor,
    payerEmail: 'payer@example.com',
    token: context.ids.uuid(),
  })
  if (started.kind === 'paused') throw new Fault('unavailable', 'New payments are paused.')
  if (started.kind !== 'hand_over') {
    throw new Fault('unavailable', `The payment could not be begun: ${started.kind}.`)
  }
  const { items: payments } = await runOperation(listPayments, context, actor, { limit: 100 })
  const ours = payments.find(({ paymentLinkId }) => paymentLinkId === link.id)
  return assertDefined(ours, 'a payment that was begun is listed')
}
