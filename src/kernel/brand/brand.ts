// How a business presents itself to the people who pay it: on payers' pages, in mails and on
// documents. Both environments share it.
export type Brand = {
  // `#rrggbb`; null for the colours of Tillbook.
  readonly colour: string | null
  readonly contactEmail: string | null
  readonly contactPhone: string | null
  readonly websiteUrl: string | null
  readonly termsUrl: string | null
  readonly privacyUrl: string | null
  readonly logo: Logo | null
}

export type Logo = {
  // Of its bytes, in hex. A logo never changes: a new one has another hash.
  readonly sha256: string
  readonly contentType: LogoType
  readonly width: number
  readonly height: number
}

export type LogoType = 'image/png' | 'image/jpeg'

export const plainBrand: Brand = {
  colour: null,
  contactEmail: null,
  contactPhone: null,
  websiteUrl: null,
  termsUrl: null,
  privacyUrl: null,
  logo: null,
}

const endings: Readonly<Record<LogoType, string>> = { 'image/png': 'png', 'image/jpeg': 'jpg' }

// Named after its content, so that browsers can cache it.
export function logoPath(
  businessId: string,
  { sha256, contentType }: Pick<Logo, 'sha256' | 'contentType'>,
): string {
  return `/brand/logo/${businessId}/${sha256}.${endings[contentType]}`
}

// The hash in the name of the file.
export function parseLogoName(name: string): string | undefined {
  return /^([0-9a-f]{64})\.(?:png|jpg)$/.exec(name)?.[1]
}

// The size at which a logo is shown: never enlarged, and within a box.
export function fitted(
  { width, height }: Pick<Logo, 'width' | 'height'>,
  box: { readonly width: number; readonly height: number },
): { readonly width: number; readonly height: number } {
  const scale = Math.min(1, box.width / width, box.height / height)
  const side = (length: number) => Math.max(1, Math.round(length * scale))
  return { width: side(width), height: side(height) }
}
