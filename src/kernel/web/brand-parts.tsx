// The brand of a business on its pages.
import { type Brand, fitted, logoPath } from '../brand/brand.ts'

type LogoProps = {
  brand: Brand
  businessId: string
  // Read out in its place.
  name: string
  box?: { readonly width: number; readonly height: number }
}

const pageBox = { width: 240, height: 64 }

export function BrandLogo({ brand: { logo }, businessId, name, box = pageBox }: LogoProps) {
  if (!logo) return null
  return (
    <img class="brand-logo" src={logoPath(businessId, logo)} alt={name} {...fitted(logo, box)} />
  )
}

type ContactProps = {
  brand: Brand
  labels: { readonly terms: string; readonly privacy: string }
}

// How payers reach the business, and its terms.
export function BrandContact({ brand, labels }: ContactProps) {
  const links = contactLinks(brand, labels)
  if (links.length === 0) return null
  return (
    <ul class="brand-contact">
      {links.map(({ href, text }) => (
        <li key={href}>
          <a href={href} rel="noreferrer">
            {text}
          </a>
        </li>
      ))}
    </ul>
  )
}

export function contactLinks(brand: Brand, { terms, privacy }: ContactProps['labels']) {
  const { contactEmail, contactPhone, websiteUrl, termsUrl, privacyUrl } = brand
  return [
    contactEmail === null ? [] : { href: `mailto:${contactEmail}`, text: contactEmail },
    contactPhone === null
      ? []
      : { href: `tel:${contactPhone.replaceAll(/[^+\d]/g, '')}`, text: contactPhone },
    websiteUrl === null ? [] : { href: websiteUrl, text: withoutScheme(websiteUrl) },
    termsUrl === null ? [] : { href: termsUrl, text: terms },
    privacyUrl === null ? [] : { href: privacyUrl, text: privacy },
  ].flat()
}

function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/\/$/, '')
}
