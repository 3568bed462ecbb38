// A person signs in to the application. A session says who, since when, and with which factors.
import { isOneLine } from '../basics/one-line.ts'

export type Session = {
  readonly sessionId: string
  readonly personId: string
  readonly email: string
  readonly name: string
  // `missing` means that only the password was proven, because the person has no second factor.
  // Such a session gives no right of the roles owner, admin or approver.
  readonly secondFactor: 'proven' | 'missing'
  readonly secondFactorAt: Date | null
  // Null for a session that did not start with a password.
  readonly passwordAt: Date | null
}

// When the person last proved who they are, with the strongest factor that the account has.
export function provenAt({ secondFactor, secondFactorAt, passwordAt }: Session): Date | null {
  return secondFactor === 'proven' ? secondFactorAt : passwordAt
}

export type NewPerson = {
  email: string
  name: string
  password: string
  // Sets up the second factor at once. The seed and the backup codes are returned only here.
  totp?: boolean
}

export type CreatedPerson = { personId: string } & Partial<NewSecondFactor>

// What its owner must store. All of it is shown only once.
export type NewSecondFactor = {
  // Base32, for typing into an authenticator app.
  readonly totpSecret: string
  // The same as a link, which apps also read as a QR code.
  readonly otpauthUrl: string
  // Each works once instead of a code of the app.
  readonly backupCodes: readonly string[]
}

// A second factor that is shown and not set up yet.
export type ProposedFactor = Pick<NewSecondFactor, 'totpSecret' | 'otpauthUrl'> & {
  // The same, encrypted: the form sends it back with the first code.
  readonly proposal: string
}

// A session ends after half a day without use: each morning starts with a sign-in.
export const sessionIdleSeconds = 12 * 60 * 60
// And after a week in any case. Operations that move money also need a fresh second factor.
export const sessionLifeSeconds = 7 * 24 * 60 * 60
// Rare enough that reading a page rarely causes a write.
export const lastSeenEverySeconds = 5 * 60

const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

export function normaliseEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase()
  const isAddress = emailPattern.test(email) && email.length <= 320 && isOneLine(email)
  return isAddress ? email : undefined
}
