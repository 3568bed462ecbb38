// The code that the operator of a new server enters to create its first business. It is computed
// from the random secret in the database, so every process and the command line know the same one,
// and a new database has another. It is not stored: it works until there is a business.
import { createHmac, timingSafeEqual } from 'node:crypto'

// Without letters and digits that look alike.
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const length = 20
const groupLength = 5

export function setUpCode(secret: string): string {
  const bytes = createHmac('sha256', secret).update('set-up code').digest()
  const letters = [...bytes.subarray(0, length)].map((byte) => alphabet[byte % alphabet.length])
  return letters.join('').replaceAll(new RegExp(`(.{${groupLength}})(?=.)`, 'g'), '$1-')
}

// However it was typed: with spaces, without hyphens, in capitals.
export function isSetUpCode(typed: string, code: string): boolean {
  const [given, wanted] = [plain(typed), plain(code)]
  return given.length === wanted.length && timingSafeEqual(Buffer.from(given), Buffer.from(wanted))
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}
