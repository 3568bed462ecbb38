// The parts of a brand that pages and mails load: the logo, and the colour as a style sheet. Both
// are named after their content, so that browsers can keep them.

import { notFound } from '../basics/fault.ts'
import { isUuid } from '../basics/id.ts'
import { parseLogoName } from '../brand/brand.ts'
import { brandStyle, brandStylePath, parseStyleName } from '../brand/brand-colour.ts'
import { findLogoContent } from '../brand/brand-store.ts'
import type { Context } from '../db/context.ts'
import type { Page, PageAnswer } from './page.ts'

const keptHeaders = {
  'cache-control': 'public, max-age=31536000, immutable',
  // Opened directly, an image is a document too.
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  // Mails of the business show the logo.
  'cross-origin-resource-policy': 'cross-origin',
}

export function brandPages({ database }: Pick<Context, 'database'>): Page[] {
  return [
    {
      method: 'GET',
      path: '/brand/style/:file',
      handle: async ({ params: { file = '' } }) => styleAnswer(file),
    },
    {
      method: 'GET',
      path: '/brand/logo/:business/:file',
      hosted: 'plain',
      async handle({ params: { business = '', file = '' } }) {
        const sha256 = isUuid(business) ? parseLogoName(file) : undefined
        const logo = sha256 && (await findLogoContent(database.sql, business, sha256))
        if (!logo) throw notFound('image')
        const headers = { ...keptHeaders, 'content-type': logo.contentType }
        return { status: 200, headers, body: logo.content }
      },
    },
  ]
}

function styleAnswer(file: string): PageAnswer {
  const colour = parseStyleName(file)
  if (colour === undefined || !brandStylePath(colour).endsWith(`/${file}`)) {
    throw notFound('file')
  }
  const headers = { ...keptHeaders, 'content-type': 'text/css; charset=utf-8' }
  return { status: 200, headers, body: brandStyle(colour) }
}
