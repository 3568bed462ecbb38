// A person signs in to the application; a session says who, since when, and how surely.
export type Session = {
  readonly sessionId: string
  readonly personId: string
  readonly email: string
  readonly name: string
  // `missing` means that only a password was proven, because the person has no second factor.
  // Such a session gives no right that comes from the role of owner, admin or approver.
  readonly secondFactor: 'proven' | 'missing'
  readonly secondFactorAt: Date | null
}

export type NewPerson = {
  email: string
  name: string
  password: string
  // Sets up the second factor at once; the seed and the backup codes are returned, this once.
  totp?: boolean
}

export type CreatedPerson = { personId: string } & Partial<NewSecondFactor>

// What its owner keeps. All of it is shown once.
export type NewSecondFactor = {
  // Base32, as an authenticator app takes it when it is typed.
  readonly totpSecret: string
  // The same as a link, which apps also take as a QR code.
  readonly otpauthUrl: string
  // Each works once, in place of a code of the app.
  readonly backupCodes: readonly string[]
}

// A session ends when nobody used it for half a day: the next morning starts with a sign-in.
export const sessionIdleSeconds = 12 * 60 * 60
// And after a week in any case. What moves money asks for a fresh second factor besides.
export const sessionLifeSeconds = 7 * 24 * 60 * 60
// Seldom enough that reading a page does not mean a write.
export const lastSeenEverySeconds = 5 * 60

const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

export function normaliseEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase()
  return emailPattern.test(email) && email.length <= 320 ? email : undefined
}
