// Shared by all pages of the site. The kernel has the frame; its content is passed in.
import type { IncomingHttpHeaders } from 'node:http'
import type { Assets } from './assets.ts'

export type SiteLink = { readonly href: string; readonly text: string }

export type Site = {
  readonly publicUrl: string
  readonly assets: Assets
  readonly nav: readonly SiteLink[]
  // The main action, shown as a button beside the navigation.
  readonly action: SiteLink
  // The same for signed-in visitors.
  readonly signedInAction: SiteLink
  readonly footer: string
}

export const siteName = 'Tillbook'

// The cookie is not verified here: it only changes a link, and the linked page checks the session.
const sessionCookie = /(^|; ?)(__Host-)?tillbook\.session_token=/

export function frameFor(site: Site, { cookie = '' }: Pick<IncomingHttpHeaders, 'cookie'>): Site {
  return sessionCookie.test(cookie) ? { ...site, action: site.signedInAction } : site
}
