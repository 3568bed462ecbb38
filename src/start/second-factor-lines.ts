// A new second factor as lines for a person, shown only once: the secret, the same as a link,
// backup codes and, at a terminal, the QR code for an authenticator app.
import { toString as drawCode } from 'qrcode'
import type { NewSecondFactor } from '../kernel/auth/person.ts'

const codesPerLine = 5

export async function secondFactorLines(
  { totpSecret, otpauthUrl, backupCodes }: NewSecondFactor,
  isTerminal: boolean,
): Promise<string[]> {
  const first = backupCodes.slice(0, codesPerLine).join(' ')
  const others = backupCodes.slice(codesPerLine).join(' ')
  return [
    `TOTP secret  ${totpSecret}`,
    `Link         ${otpauthUrl}`,
    `Backup       ${first}`,
    `codes        ${others}`,
    ...(isTerminal ? ['', ...(await qrCodeLines(otpauthUrl))] : []),
  ]
}

// Black on white regardless of the terminal's colours: not every app reads an inverted code.
const blackOnWhite = '\u001b[30;107m'
const reset = '\u001b[0m'

async function qrCodeLines(text: string): Promise<string[]> {
  const drawn = await drawCode(text, { type: 'utf8', margin: 2, errorCorrectionLevel: 'L' })
  return drawn.split('\n').map((line) => `${blackOnWhite}${line}${reset}`)
}
