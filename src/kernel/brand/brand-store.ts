import type { Sql, Tx } from '../db/database.ts'
import { type Brand, type Logo, type LogoType, plainBrand } from './brand.ts'

type BrandRow = Omit<Brand, 'logo'> & {
  readonly sha256: string | null
  readonly contentType: LogoType
  readonly width: number
  readonly height: number
}

// A business that set nothing has no row.
export async function findBrand(sql: Sql | Tx, businessId: string): Promise<Brand> {
  const [row] = await sql<BrandRow[]>`
    select
      brand.colour, brand.contact_email, brand.contact_phone, brand.website_url, brand.terms_url,
      brand.privacy_url, encode(brand.logo_sha256, 'hex') as sha256, logo.content_type, logo.width,
      logo.height
    from kernel.brands as brand
    left join kernel.logos as logo
      on logo.business_id = brand.business_id
      and logo.sha256 = brand.logo_sha256
    where brand.business_id = ${businessId}`
  if (!row) return plainBrand
  const { sha256, contentType, width, height, ...brand } = row
  return { ...brand, logo: sha256 === null ? null : { sha256, contentType, width, height } }
}

export async function insertOrUpdateBrand(
  tx: Tx,
  businessId: string,
  brand: Omit<Brand, 'logo'>,
  updatedAt: Date,
): Promise<void> {
  const { colour, contactEmail, contactPhone, websiteUrl, termsUrl, privacyUrl } = brand
  await tx`
    insert into kernel.brands
      (business_id, colour, contact_email, contact_phone, website_url, terms_url, privacy_url,
       updated_at)
    values
      (${businessId}, ${colour}, ${contactEmail}, ${contactPhone}, ${websiteUrl}, ${termsUrl},
       ${privacyUrl}, ${updatedAt})
    on conflict on constraint brands_pkey do update
      set colour = excluded.colour,
        contact_email = excluded.contact_email,
        contact_phone = excluded.contact_phone,
        website_url = excluded.website_url,
        terms_url = excluded.terms_url,
        privacy_url = excluded.privacy_url,
        updated_at = excluded.updated_at`
}

export async function insertOrUpdateBrandLogo(
  tx: Tx,
  businessId: string,
  sha256: string | null,
  updatedAt: Date,
): Promise<void> {
  const logo = sha256 === null ? null : Buffer.from(sha256, 'hex')
  await tx`
    insert into kernel.brands (business_id, logo_sha256, updated_at)
    values (${businessId}, ${logo}, ${updatedAt})
    on conflict on constraint brands_pkey do update
      set logo_sha256 = excluded.logo_sha256,
        updated_at = excluded.updated_at`
}

// The same image again is the same logo.
export async function insertLogo(
  tx: Tx,
  businessId: string,
  { sha256, contentType, width, height }: Logo,
  content: Buffer,
  createdAt: Date,
): Promise<void> {
  await tx`
    insert into kernel.logos
      (business_id, sha256, content_type, width, height, content, created_at)
    values
      (${businessId}, ${Buffer.from(sha256, 'hex')}, ${contentType}, ${width}, ${height},
       ${content}, ${createdAt})
    on conflict on constraint logos_pkey do nothing`
}

// With those of earlier brands.
export async function findLogoCount(sql: Sql | Tx, businessId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count
    from kernel.logos
    where business_id = ${businessId}`
  return row?.count ?? 0
}

export type LogoContent = { readonly contentType: LogoType; readonly content: Buffer }

export async function findLogoContent(
  sql: Sql | Tx,
  businessId: string,
  sha256: string,
): Promise<LogoContent | undefined> {
  const [row] = await sql<LogoContent[]>`
    select content_type, content
    from kernel.logos
    where business_id = ${businessId}
      and sha256 = ${Buffer.from(sha256, 'hex')}`
  return row
}
