// `localhost`, `127.0.0.1` and `[::1]` are one machine to a person and three to a browser: cookies
// and the origin of a form belong to one of them. Whoever opens a page under another spelling than
// PUBLIC_URL has could look around and never sign in, so they are led to the right one.
const loopback = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/

// Where to go instead; undefined when the visitor is where they should be, or somewhere that only
// the operator understands.
export function otherLoopback(
  publicUrl: string,
  host: string | undefined,
  target: string,
): string | undefined {
  const wanted = new URL(publicUrl)
  if (!host || !loopback.test(wanted.hostname) || !target.startsWith('/')) return undefined
  const given = URL.parse(`${wanted.protocol}//${host}`)
  if (!given || !loopback.test(given.hostname)) return undefined
  if (given.hostname === wanted.hostname || given.port !== wanted.port) return undefined
  return `${wanted.origin}${target}`
}
