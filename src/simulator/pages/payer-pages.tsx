// The payer's pages, as values; the public server mounts them. Each form posts to its own path and
// the response redirects, so that reloading and going back post nothing twice.
import { notFound } from '../../kernel/basics/fault.ts'
import { isUuid } from '../../kernel/basics/id.ts'
import { type Page, type PageAnswer, type PageRequest, redirectTo } from '../../kernel/web/page.ts'
import type { Charge } from '../charges/charge.ts'
import {
  type Checkout,
  checkoutPath,
  isExpired,
  linkPath,
  type ReturnStatus,
  returnUrl,
} from '../charges/checkout.ts'
import { findCheckout } from '../charges/checkout-store.ts'
import { findCurrentCharge, type PayerStep, takePayerStep } from '../charges/pay-checkout.ts'
import type { SimulatorContext } from '../context.ts'
import { idOf } from '../fields.ts'
import { payerAnswer, stylePath } from './payer-document.tsx'
import { AuthorisationStep, CardStep, EndStep } from './payer-forms.tsx'
import { payerStyle } from './payer-style.ts'

export function payerPages(context: SimulatorContext): Page[] {
  const step = (name: string, read: (form: URLSearchParams) => PayerStep): Page => ({
    method: 'POST',
    path: `${linkPath}/:id/${name}`,
    // There is no sign-in: anyone with the link is the payer, also scripts.
    fromAnywhere: true,
    handle: (request) => submit(context, request, read(request.form)),
  })
  const authorisation = (kind: 'pin' | 'otp' | '3ds' | 'address') =>
    step(kind, (form) => ({
      kind,
      value: form.get('value') ?? '',
      chargeId: idOf(form.get('charge') ?? '') ?? 0n,
    }))
  return [
    { method: 'GET', path: stylePath, handle: async () => styleAnswer },
    { method: 'GET', path: `${linkPath}/:id`, handle: (request) => show(context, request) },
    step('card', (form) => ({
      kind: 'card',
      number: form.get('card') ?? '',
      attempts: Number.parseInt(form.get('attempts') ?? '', 10),
    })),
    authorisation('pin'),
    authorisation('otp'),
    authorisation('3ds'),
    authorisation('address'),
    step('cancel', () => ({ kind: 'cancel' })),
  ]
}

const styleAnswer: PageAnswer = {
  status: 200,
  headers: { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  body: payerStyle,
}

async function submit(
  context: SimulatorContext,
  request: PageRequest,
  step: PayerStep,
): Promise<PageAnswer> {
  const id = linkId(request)
  const objection = await takePayerStep(context, id, step)
  const answer = await show(context, request, objection)
  // The next step is a separate page; only an error stays on this one.
  if (objection === undefined && answer.status === 200) return redirectTo(checkoutPath(id))
  return answer
}

async function show(
  context: SimulatorContext,
  request: PageRequest,
  objection?: string,
): Promise<PageAnswer> {
  const checkout = await findCheckout(context.database.sql, linkId(request))
  if (!checkout) throw notFound('payment')
  const charge = await findCurrentCharge(context, checkout)
  if (checkout.status !== 'open') return leave(checkout, charge)
  const status = objection === undefined ? 200 : 422
  const { redirectUrl } = checkout
  if (isExpired(checkout, context.clock)) return expired(checkout)
  if (charge?.awaits) {
    const props = { checkout, error: objection, charge, awaits: charge.awaits }
    const body = <AuthorisationStep {...props} />
    return payerAnswer(status, { title: 'Confirm the payment', redirectUrl, body })
  }
  const error = objection ?? (charge && declined(charge, checkout))
  const body = <CardStep checkout={checkout} error={error} />
  return payerAnswer(status, { title: 'Pay', redirectUrl, body })
}

function declined({ processorResponse }: Charge, { attempts, retriesMax }: Checkout): string {
  const left = retriesMax - attempts
  const again = left === 1 ? 'one more time' : `${left} more times`
  return `The payment was declined: ${processorResponse}. You can try ${again}.`
}

function expired(checkout: Checkout): PageAnswer {
  const back = returnUrl(checkout, 'cancelled')
  const text = 'The time for this payment has expired. Nothing was charged.'
  const body = <EndStep checkout={checkout} title="Session expired" text={text} back={back} />
  return payerAnswer(200, { title: 'Session expired', redirectUrl: checkout.redirectUrl, body })
}

const endings: Record<ReturnStatus, { title: string; text: string }> = {
  successful: { title: 'Paid', text: 'The simulated payment was successful.' },
  pending: { title: 'Waiting for your bank', text: 'The bank has not answered yet.' },
  failed: { title: 'Not paid', text: 'The payment was declined. Nothing was charged.' },
  cancelled: { title: 'Cancelled', text: 'The payment was cancelled. Nothing was charged.' },
}

// The checkout has ended, also for a browser that returns later.
function leave(checkout: Checkout, charge: Charge | undefined): PageAnswer {
  const status = checkout.status === 'cancelled' ? 'cancelled' : (charge?.status ?? 'failed')
  const back = returnUrl(checkout, status, status === 'cancelled' ? undefined : charge?.id)
  if (back) return redirectTo(back)
  const { title, text } = endings[status]
  const body = <EndStep checkout={checkout} title={title} text={text} back={undefined} />
  return payerAnswer(200, { title, redirectUrl: null, body })
}

function linkId({ url }: PageRequest): string {
  const id = url.pathname.split('/')[3] ?? ''
  if (!isUuid(id)) throw notFound('payment')
  return id
}
