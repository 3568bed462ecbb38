// A browser in which a person has signed in before carries a cookie that says so. It gives no right
// and skips no step: it only keeps the tries of strangers from slowing that person down.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { normaliseEmail } from './person.ts'

export type KnownDevices = {
  isKnown(headers: Headers, email: string): boolean
  // The cookie to set, for a person who has just signed in.
  cookieFor(email: string): string
}

const lifeSeconds = 365 * 24 * 60 * 60

export function createKnownDevices({
  cookiePrefix,
  secure,
  secret,
}: {
  readonly cookiePrefix: string
  readonly secure: boolean
  readonly secret: string
}): KnownDevices {
  // One cookie a person, since several may share a browser.
  const nameFor = (email: string) => {
    const tag = createHash('sha256').update(email).digest('hex').slice(0, 16)
    return `${cookiePrefix}.device_${tag}`
  }
  const valueFor = (email: string) =>
    createHmac('sha256', secret).update(`known device of ${email}`).digest('base64url')
  return {
    isKnown(headers, typed) {
      const email = normaliseEmail(typed)
      if (!email) return false
      const cookies = (headers.get('cookie') ?? '').split(/; */)
      const name = nameFor(email)
      const value = cookies.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1) ?? ''
      return isEqual(value, valueFor(email))
    },
    cookieFor(email) {
      const attributes = `Max-Age=${lifeSeconds}; Path=/; HttpOnly; SameSite=Lax`
      return `${nameFor(email)}=${valueFor(email)}; ${attributes}${secure ? '; Secure' : ''}`
    },
  }
}

function isEqual(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}
