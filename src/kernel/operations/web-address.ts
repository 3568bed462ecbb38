// Addresses that a browser is sent to. Only what RFC 3986 allows, so that an address goes into a
// header and into a page as it is; no user info, which makes `https://bank.example@evil.example`
// look like the bank.
import { z } from 'zod'
import { isPlainOrigin } from '../basics/plain-origin.ts'
import { describedAs } from './schemas.ts'

const lengthMax = 2000

// The page of a merchant, or an image on it.
export const webAddress = () => address(isWebAddress, 'Must be an http or https address.')

// Where payers return to: a page, or an app on their phone that has registered a scheme.
export const returnAddress = () =>
  address(
    (text) => isWebAddress(text) || isAppAddress(text),
    'Must be an http or https address, or that of an app such as myapp://return.',
  )

function address(isAllowed: (text: string) => boolean, error: string) {
  return describedAs(
    z
      .string()
      .max(lengthMax, { error: `At most ${lengthMax} characters.` })
      .refine(isAllowed, { error }),
    { type: 'string', format: 'uri', maxLength: lengthMax },
  )
}

// A plain host, because `;` and `*` in one would change the content security policy that names it.
function isWebAddress(text: string): boolean {
  if (!/^https?:\/\/(?![/?#])/i.test(text) || !isPlain(text)) return false
  return isPlainOrigin(new URL(text).origin)
}

// Schemes that a browser handles itself: `javascript:` and `data:` would run in our name, and the
// others lead to no app.
const browserSchemes = new Set([
  ...['http', 'https', 'javascript', 'vbscript', 'data', 'file', 'blob', 'filesystem', 'about'],
  ...['view-source', 'ftp', 'ws', 'wss', 'mailto', 'tel', 'sms', 'intent'],
])

// `myapp://return`, or `com.example.shop:/return` as RFC 8252 writes it.
function isAppAddress(text: string): boolean {
  const scheme = /^([a-z][a-z0-9+.-]*):\/{1,2}(?![/?#]|$)/i.exec(text)?.[1]
  return scheme !== undefined && !browserSchemes.has(scheme.toLowerCase()) && isPlain(text)
}

function isPlain(text: string): boolean {
  if (!/^(?:[\w.~:/?#[\]@!$&'()*+,;=-]|%[0-9a-f]{2})+$/i.test(text)) return false
  const url = URL.parse(text)
  return url !== null && url.username === '' && url.password === ''
}
