// What every page of the site shares. The kernel knows the frame; what stands in it is passed in.
import type { IncomingHttpHeaders } from 'node:http'
import type { Assets } from './assets.ts'

export type SiteLink = { readonly href: string; readonly text: string }

export type Site = {
  readonly publicUrl: string
  readonly assets: Assets
  readonly nav: readonly SiteLink[]
  // The one thing most visitors come for, shown as a button beside the navigation.
  readonly action: SiteLink
  // The same for a visitor who is signed in.
  readonly signedInAction: SiteLink
  readonly footer: string
}

export const siteName = 'Tillbook'

// The cookie is not checked here: the frame only points the way, and the page at its end decides.
const sessionCookie = /(^|; ?)(__Host-)?tillbook\.session_token=/

export function frameFor(site: Site, { cookie = '' }: Pick<IncomingHttpHeaders, 'cookie'>): Site {
  return sessionCookie.test(cookie) ? { ...site, action: site.signedInAction } : site
}
