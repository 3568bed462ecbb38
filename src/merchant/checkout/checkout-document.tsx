// The frame of the checkout: a separate document with one small style sheet and no script, which
// works on any phone and without JavaScript.
import type { ComponentChildren, VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { isPlainOrigin } from '../../kernel/basics/plain-origin.ts'
import type { PageAnswer } from '../../kernel/web/page.ts'
import type { Provider } from '../provider/provider.ts'
import { checkoutStylePath } from './checkout-style.ts'
import type { Offer } from './offer.ts'

export type CheckoutPage = {
  readonly title: string
  // What the payer pays for, if known.
  readonly offer: Offer | undefined
  readonly provider: Pick<Provider, 'isSimulated' | 'checkoutOrigins'>
  readonly body: VNode
  // Reloads this path after a moment, for a payer who waits.
  readonly reloadPath?: string
  readonly setCookie?: string
}

const reloadSeconds = 4

export function checkoutAnswer(status: number, page: CheckoutPage): PageAnswer {
  const { offer, provider, setCookie, reloadPath } = page
  const imageOrigin = originOf(offer?.imageUrl)
  // A form may only redirect to addresses that the policy of its page names.
  const formTargets = ["'self'", ...provider.checkoutOrigins, ...returnSource(offer?.returnUrl)]
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': [
        "default-src 'none'",
        "style-src 'self'",
        `img-src ${["'self'", 'data:', ...imageOrigin].join(' ')}`,
        `form-action ${formTargets.join(' ')}`,
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
      'x-robots-tag': 'noindex',
      ...(reloadPath !== undefined && { refresh: `${reloadSeconds}; url=${reloadPath}` }),
      ...(setCookie !== undefined && { 'set-cookie': [setCookie] }),
    },
    body: `<!doctype html>${renderToString(<Document {...page} />)}`,
  }
}

// The source of an address in the policy; none if it has characters that mean something there.
function originOf(url: string | null | undefined): string[] {
  const { origin = '' } = URL.parse(url ?? '') ?? {}
  return isPlainOrigin(origin) ? [origin] : []
}

// An app has its own scheme instead of an origin.
function returnSource(url: string | null | undefined): string[] {
  const { protocol = '' } = URL.parse(url ?? '') ?? {}
  const isApp = /^[a-z][a-z0-9+.-]*:$/.test(protocol) && !/^https?:$/.test(protocol)
  return isApp ? [protocol] : originOf(url)
}

function Document({ title, offer, provider, body }: CheckoutPage) {
  const label = modeLabel(offer, provider.isSimulated)
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{offer ? `${title} · ${offer.merchantName}` : title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={checkoutStylePath} />
      </head>
      <body>
        {label && (
          <header>
            <p class="label">{label}</p>
          </header>
        )}
        <main>
          <div class="card">{body}</div>
        </main>
        <footer>Payments by Tillbook</footer>
      </body>
    </html>
  )
}

// Payers must never confuse test money with real money.
function modeLabel(offer: Offer | undefined, isSimulated: boolean): ComponentChildren {
  if (offer?.tenant.environment === 'test') {
    return (
      <>
        <strong>Test mode:</strong> no real money moves.
      </>
    )
  }
  if (!isSimulated) return undefined
  return (
    <>
      <strong>Demonstration:</strong> this payment is simulated. No real money moves.
    </>
  )
}
