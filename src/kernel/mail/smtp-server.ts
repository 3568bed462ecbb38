// Parses the mail server (SMTP_URL) and the sender (MAIL_FROM).
import { isOneLine } from '../basics/one-line.ts'
import { parseMailAddress } from './mail.ts'

export type SmtpServer = {
  readonly host: string
  readonly port: number
  // implicit: encrypted from the start. required: STARTTLS before anything is sent. optional:
  // unencrypted if the server has no STARTTLS.
  readonly tls: 'implicit' | 'required' | 'optional'
  readonly login: { readonly user: string; readonly password: string } | undefined
}

export type Sender = { readonly name: string; readonly address: string }

// Undefined if the text is not a mail server URL, or would send a password unencrypted.
export function parseSmtpUrl(text: string): SmtpServer | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return undefined
  if (!/^\/?$/.test(url.pathname) || url.hash !== '') return undefined
  const [user, password] = [decoded(url.username), decoded(url.password)]
  if (user === undefined || password === undefined || (user === '') !== (password === '')) {
    return undefined
  }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const tls = tlsOf(url, isLoopbackHost(host))
  if (!tls || (tls === 'optional' && user !== '' && !isLoopbackHost(host))) return undefined
  return {
    host,
    port: url.port === '' ? defaultPorts[tls] : Number.parseInt(url.port, 10),
    tls,
    login: user === '' ? undefined : { user, password },
  }
}

// `billing@example.com`, or with a name before it: `Example Ltd <billing@example.com>`.
export function parseSender(text: string): Sender | undefined {
  const [, name = '', inBrackets] = /^([^<>]*?)\s*<([^<>]*)>$/.exec(text) ?? []
  const address = parseMailAddress(inBrackets ?? text)
  const unquoted = name.replace(/^"(.*)"$/, '$1').trim()
  return address && isOneLine(unquoted) ? { name: unquoted, address } : undefined
}

// The ports of RFC 8314; an internal relay uses port 25.
const defaultPorts = { implicit: 465, required: 587, optional: 25 } as const

function tlsOf(url: URL, isLocal: boolean): SmtpServer['tls'] | undefined {
  const wish = url.search.slice(1)
  if (url.protocol === 'smtps:') return wish === '' ? 'implicit' : undefined
  if (wish === 'tls=optional') return 'optional'
  if (wish !== '') return undefined
  // A connection within one machine can't be intercepted.
  return isLocal ? 'optional' : 'required'
}

function isLoopbackHost(host: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host)
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
