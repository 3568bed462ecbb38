// `localhost`, `127.0.0.1` and `[::1]` are the same machine, but three hosts for a browser: cookies
// and form origins belong to one of them. A visitor on another host than that of PUBLIC_URL could
// never sign in, so they are redirected.
import { isLoopbackHost } from '../basics/loopback.ts'

// The URL to redirect to; undefined if the host is right, or not a loopback host.
export function otherLoopback(
  publicUrl: string,
  host: string | undefined,
  target: string,
): string | undefined {
  const wanted = new URL(publicUrl)
  if (!host || !isLoopbackHost(wanted.hostname) || !target.startsWith('/')) return undefined
  const given = URL.parse(`${wanted.protocol}//${host}`)
  if (!given || !isLoopbackHost(given.hostname)) return undefined
  if (given.hostname === wanted.hostname || given.port !== wanted.port) return undefined
  return `${wanted.origin}${target}`
}
