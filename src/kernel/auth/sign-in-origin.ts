// A request that changes something must come from our own pages. Browsers send the origin of a
// request in `Origin` and `Sec-Fetch-Site`, and no script can forge either. This prevents other
// sites from posting a form with our visitor's cookies.
import { permissionDenied } from '../basics/fault.ts'

export function assertSameOrigin(headers: Headers, publicUrl: string): void {
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  // With a strict referrer policy a browser sends the origin of a form as `null`; then only
  // Sec-Fetch-Site decides.
  const namesOrigin = origin !== null && origin !== 'null'
  const originAgrees = !namesOrigin || origin === new URL(publicUrl).origin
  const siteAgrees = site === null || site === 'same-origin' || site === 'none'
  if (originAgrees && siteAgrees && (namesOrigin || site !== null)) return
  throw permissionDenied(
    `This request came from another site and was refused. Open ${publicUrl} and try again there.`,
  )
}

// Where to go after signing in: a path of this site, or undefined. The URL parser decides, since a
// text that looks like a path (`/\evil.example`, `/.//evil`) may lead elsewhere.
export function safeNextPath(next: string | null, publicUrl: string): string | undefined {
  if (!next?.startsWith('/')) return undefined
  if (!URL.canParse(next, publicUrl)) return undefined
  const url = new URL(next, publicUrl)
  if (url.origin !== new URL(publicUrl).origin || url.pathname.startsWith('//')) return undefined
  return `${url.pathname}${url.search}${url.hash}`
}
