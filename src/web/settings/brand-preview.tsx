// How payers see the business: a page to pay on, a mail and a document, made of plain elements. The
// colour comes from a style sheet, as on the real pages.
import { type Brand, fitted, logoPath } from '../../kernel/brand/brand.ts'
import { brandStylePath } from '../../kernel/brand/brand-colour.ts'
import type { Visit } from '../shell/visit.ts'

export const plainColour = '#0b6e5b'

export type PreviewProps = { visit: Visit; brand: Brand }

export function BrandPreview({ visit, brand }: PreviewProps) {
  const props = { visit, brand }
  return (
    <section aria-label="Preview" class="brand-preview" data-brand-preview={plainColour}>
      <link rel="stylesheet" href={brandStylePath(brand.colour ?? plainColour)} data-brand-style />
      <figure>
        <figcaption>Payment page</figcaption>
        <div class="preview-paper preview-pay">
          <Sender {...props} />
          <p class="quiet mb-0">Pay to</p>
          <strong>{visit.membership.businessName}</strong>
          <p class="preview-amount">1,500.00</p>
          <span class="preview-button">Pay 1,500.00</span>
          <Contact brand={brand} />
        </div>
      </figure>
      <figure>
        <figcaption>Mail</figcaption>
        <div class="preview-paper preview-mail">
          <Sender {...props} />
          <strong>Invoice INV-2026-00042</strong>
          <p class="mb-2">Please find attached the invoice for 1,500.00.</p>
          <span class="preview-button">View the invoice</span>
          <Contact brand={brand} />
        </div>
      </figure>
      <figure>
        <figcaption>Document</figcaption>
        <div class="preview-paper preview-document">
          <div class="preview-head">
            <Sender {...props} />
            <strong class="preview-title">Invoice</strong>
          </div>
          <p class="preview-line">
            <span>First item</span>
            <span>1,500.00</span>
          </p>
          <p class="preview-line preview-due">
            <span>Amount due</span>
            <span>1,500.00</span>
          </p>
          <Contact brand={brand} />
        </div>
      </figure>
    </section>
  )
}

function Sender({ visit, brand: { logo } }: PreviewProps) {
  const { businessId, businessName } = visit.membership
  if (!logo) return <p class="preview-name">{businessName}</p>
  const size = fitted(logo, { width: 160, height: 44 })
  return <img class="brand-logo" src={logoPath(businessId, logo)} alt={businessName} {...size} />
}

// Hidden parts appear when someone fills in their field.
function Contact({ brand }: { brand: Brand }) {
  const { contactEmail, contactPhone, websiteUrl, termsUrl, privacyUrl } = brand
  const parts: [string, string | null, string?][] = [
    ['contactEmail', contactEmail],
    ['contactPhone', contactPhone],
    ['websiteUrl', websiteUrl?.replace(/^https?:\/\//, '') ?? null],
    ['termsUrl', termsUrl, 'Terms'],
    ['privacyUrl', privacyUrl, 'Privacy'],
  ]
  return (
    <p class="preview-contact">
      {parts.map(([name, value, label]) => (
        <span
          key={name}
          data-shows={name}
          hidden={value === null}
          {...(label !== undefined && { 'data-is-label': '' })}
        >
          {label ?? value}
        </span>
      ))}
    </p>
  )
}
