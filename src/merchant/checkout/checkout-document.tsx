// The frame of the checkout: a separate document with one small style sheet, which works on any
// phone and without JavaScript.
import type { ComponentChildren, VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { isPlainOrigin } from '../../kernel/basics/plain-origin.ts'
import { logoPath } from '../../kernel/brand/brand.ts'
import { brandStylePath } from '../../kernel/brand/brand-colour.ts'
import { BrandContact, BrandLogo } from '../../kernel/web/brand-parts.tsx'
import type { PageAnswer } from '../../kernel/web/page.ts'
import type { PayerTexts } from '../../payer-texts/english.ts'
import { LanguageChoice } from '../../payer-texts/language-choice.tsx'
import type { Provider } from '../provider/provider.ts'
import type { PayerContext } from './checkout-answers.tsx'
import { checkoutStylePath } from './checkout-style.ts'
import { descriptionOf, knownAmount, type Offer, titleOf } from './offer.ts'

export type CheckoutPage = {
  readonly title: string
  // What the payer pays for, if known.
  readonly offer: Offer | undefined
  readonly provider: Pick<Provider, 'isSimulated' | 'checkoutOrigins'>
  readonly body: VNode
  // Reloads this path after a moment, for a payer who waits.
  readonly reloadPath?: string
  // The address of its script, if it has one.
  readonly scriptPath?: string | undefined
  readonly setCookies?: readonly string[]
  // What messengers show of a shared link.
  readonly preview?: Preview
}

type Preview = {
  readonly url: string
  readonly title: string
  readonly description: string
  readonly imageUrl: string | null
  // A picture of what is sold, not the logo.
  readonly isPicture: boolean
  readonly siteName: string
}

const reloadSeconds = 4

type Reader = Pick<PayerContext, 'language' | 'path' | 'languageCookies'>

export function checkoutAnswer(reader: Reader, status: number, page: CheckoutPage): PageAnswer {
  const { offer, provider, reloadPath } = page
  const setCookies = [...(page.setCookies ?? []), ...reader.languageCookies]
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
        ...(page.scriptPath === undefined ? [] : ["script-src 'self'"]),
        `img-src ${["'self'", 'data:', ...imageOrigin].join(' ')}`,
        `form-action ${formTargets.join(' ')}`,
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
      'x-robots-tag': 'noindex',
      ...(reloadPath !== undefined && { refresh: `${reloadSeconds}; url=${reloadPath}` }),
      ...(setCookies.length > 0 && { 'set-cookie': setCookies }),
    },
    body: `<!doctype html>${renderToString(<Document {...page} {...reader} />)}`,
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

export function payPreview({ publicUrl, language }: PayerContext, offer: Offer): Preview {
  const { currency, merchantName, path } = offer
  const amountMinor = knownAmount(offer)
  const { texts, money } = language
  const description = descriptionOf(offer, language)
  const { logo } = offer.brand
  const logoUrl = logo && `${publicUrl}${logoPath(offer.tenant.businessId, logo)}`
  const isTest = offer.tenant.environment === 'test'
  const parts = [
    ...(isTest ? [`${texts.testMode.label} ${texts.testMode.text}`] : []),
    amountMinor === undefined
      ? texts.pay.preview(merchantName)
      : texts.pay.previewAmount(money(amountMinor, currency), merchantName),
    ...(description ? [description] : []),
  ]
  return {
    url: `${publicUrl}${path}`,
    title: `${titleOf(offer, language)} · ${merchantName}`,
    description: parts.join(' '),
    imageUrl: offer.imageUrl ?? logoUrl,
    isPicture: offer.imageUrl !== null,
    siteName: merchantName,
  }
}

// The mark repeats assets/favicon.svg. It is part of the page, so that a payer loads nothing else.
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
  '<rect width="32" height="32" rx="8" fill="#0b6e5b"/>' +
  '<path d="M9 6.5h14v19l-2.8-2-2.1 2-2.1-2-2.1 2-2.1-2-2.8 2z" fill="#fff"/></svg>'

function Document(page: CheckoutPage & Reader) {
  const { title, offer, provider, preview, body, language, path } = page
  const { texts } = language
  const label = modeLabel(offer, provider.isSimulated, texts)
  return (
    <html lang={language.locale}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{offer ? `${title} · ${offer.merchantName}` : title}</title>
        <link rel="icon" href={iconOf(offer)} />
        {preview && <PreviewTags {...preview} locale={language.locale} />}
        <link rel="stylesheet" href={checkoutStylePath} />
        {page.scriptPath && <script src={page.scriptPath} defer />}
        {offer?.brand.colour && <link rel="stylesheet" href={brandStylePath(offer.brand.colour)} />}
      </head>
      <body>
        {label && (
          <header>
            <p class="label">{label}</p>
          </header>
        )}
        <main>
          {offer && <Payee {...offer} />}
          <div class="card">{body}</div>
        </main>
        <footer>
          {offer && <BrandContact brand={offer.brand} labels={texts} />}
          <LanguageChoice language={language} path={path} />
          <p>{texts.poweredBy}</p>
        </footer>
      </body>
    </html>
  )
}

function Payee({ brand, tenant: { businessId }, merchantName }: Offer) {
  return <BrandLogo brand={brand} businessId={businessId} name={merchantName} />
}

function iconOf(offer: Offer | undefined): string {
  const logo = offer?.brand.logo
  return offer && logo
    ? logoPath(offer.tenant.businessId, logo)
    : `data:image/svg+xml,${encodeURIComponent(icon)}`
}

function PreviewTags({ locale, ...preview }: Preview & { locale: string }) {
  const { url, title, description, imageUrl, isPicture, siteName } = preview
  return (
    <>
      <meta name="description" content={description} />
      <meta property="og:type" content="website" />
      <meta property="og:url" content={url} />
      <meta property="og:site_name" content={siteName} />
      <meta property="og:locale" content={locale.replace('-', '_')} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      {imageUrl && <meta property="og:image" content={imageUrl} />}
      <meta name="twitter:card" content={isPicture ? 'summary_large_image' : 'summary'} />
    </>
  )
}

// Payers must never confuse test money with real money.
function modeLabel(
  offer: Offer | undefined,
  isSimulated: boolean,
  { testMode, demonstration }: PayerTexts,
): ComponentChildren {
  const isTest = offer?.tenant.environment === 'test'
  if (!isTest && !isSimulated) return undefined
  const { label, text } = isTest ? testMode : demonstration
  return (
    <>
      <strong>{label}</strong> {text}
    </>
  )
}
