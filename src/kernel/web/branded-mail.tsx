// A mail of a business to the people who pay it: the same content as HTML with the brand of the
// business, and as text. Mail programs know neither style sheets nor custom properties, so styles
// are inline. Text and ground have no colour here, so they follow a dark mail program.
import { renderToString } from 'preact-render-to-string'
import { type Brand, fitted, logoPath } from '../brand/brand.ts'
import { brandColours } from '../brand/brand-colour.ts'
import { contactLinks } from './brand-parts.tsx'

export type BrandedMail = {
  readonly publicUrl: string
  readonly businessId: string
  readonly businessName: string
  readonly brand: Brand
  readonly language: string
  // Says that nothing is real, in the sandbox.
  readonly warning?: string | undefined
  readonly heading: string
  readonly paragraphs: readonly string[]
  readonly facts?: readonly (readonly [string, string])[]
  // The one thing to do.
  readonly action?: { readonly text: string; readonly url: string } | undefined
  // Further things to do.
  readonly links?: readonly { readonly text: string; readonly url: string }[]
  // Texts of links to the terms and the privacy notice.
  readonly labels: { readonly terms: string; readonly privacy: string }
}

export function renderBrandedMail(mail: BrandedMail): {
  readonly text: string
  readonly html: string
} {
  return { text: textOf(mail), html: `<!doctype html>${renderToString(<Letter {...mail} />)}` }
}

function textOf(mail: BrandedMail): string {
  const { warning, paragraphs, facts = [], action, links = [], businessName, brand } = mail
  const parts = [
    ...(warning ? [warning] : []),
    ...paragraphs,
    ...(facts.length > 0 ? [facts.map(([name, value]) => `${name}: ${value}`).join('\n')] : []),
    ...(action ? [action, ...links] : links).map(({ text, url }) => `${text}:\n${url}`),
    [businessName, ...contactLines(brand)].join('\n'),
  ]
  return `${parts.join('\n\n')}\n`
}

function contactLines({ contactEmail, contactPhone, websiteUrl }: Brand): string[] {
  return [contactEmail, contactPhone, websiteUrl].filter((line) => line !== null)
}

const plainColour = '#0b6e5b'
const font = 'font-family:system-ui,-apple-system,Segoe UI,Roboto,sans-serif'
const logoBox = { width: 200, height: 56 }

function Letter(mail: BrandedMail) {
  const { colour, onColour } = brandColours(mail.brand.colour ?? plainColour)
  const { heading, paragraphs, facts = [], action, links = [], warning, language } = mail
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{heading}</title>
      </head>
      <body style={`margin:0;padding:24px 12px;${font};font-size:16px;line-height:1.5`}>
        <div
          style={`max-width:560px;margin:0 auto;border-top:6px solid ${colour};padding-top:20px`}
        >
          <Sender {...mail} />
          {warning && <p style="margin:0 0 16px;font-weight:bold">{warning}</p>}
          <h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">{heading}</h1>
          {paragraphs.map((text) => (
            <p key={text} style="margin:0 0 16px;white-space:pre-line">
              {text}
            </p>
          ))}
          {facts.length > 0 && <Facts facts={facts} />}
          {action && (
            <p style="margin:24px 0">
              <a
                href={action.url}
                style={`display:inline-block;padding:12px 24px;border-radius:8px;background:${colour};color:${onColour};font-weight:bold;text-decoration:none`}
              >
                {action.text}
              </a>
            </p>
          )}
          {links.map(({ text, url }) => (
            <p key={url} style="margin:0 0 16px">
              <a href={url} style="color:inherit">
                {text}
              </a>
            </p>
          ))}
          <Footer {...mail} />
        </div>
      </body>
    </html>
  )
}

function Sender({ brand: { logo }, businessId, businessName, publicUrl }: BrandedMail) {
  if (!logo) return <p style="margin:0 0 16px;font-size:18px;font-weight:bold">{businessName}</p>
  const { width, height } = fitted(logo, logoBox)
  return (
    <p style="margin:0 0 16px">
      <img
        src={`${publicUrl}${logoPath(businessId, logo)}`}
        alt={businessName}
        width={width}
        height={height}
      />
    </p>
  )
}

function Facts({ facts }: { facts: readonly (readonly [string, string])[] }) {
  return (
    <table style="width:100%;border-collapse:collapse;margin:0 0 16px">
      {facts.map(([name, value]) => (
        <tr key={name}>
          <th
            scope="row"
            style="padding:8px 16px 8px 0;border-bottom:1px solid #8886;text-align:left;font-weight:normal;vertical-align:top"
          >
            {name}
          </th>
          <td style="padding:8px 0;border-bottom:1px solid #8886;text-align:right;font-weight:bold">
            {value}
          </td>
        </tr>
      ))}
    </table>
  )
}

function Footer({ brand, businessName, labels }: BrandedMail) {
  return (
    <p style="margin:24px 0 0;padding-top:16px;border-top:1px solid #8886;font-size:14px">
      {businessName}
      {contactLinks(brand, labels).map(({ text, href }) => (
        <span key={href}>
          {' · '}
          <a href={href} style="color:inherit">
            {text}
          </a>
        </span>
      ))}
    </p>
  )
}
