import jsQR from 'jsqr'
import { expect, test } from 'vitest'
import { secondFactorLines } from '../../src/start/second-factor-lines.ts'

const factor = {
  totpSecret: 'ORGFU6RZM54HKU3WOAYHSRTNPJRESSLTIZGGGLJZINRGEVKQJJKA',
  otpauthUrl:
    'otpauth://totp/Tillbook:ada@example.com?secret=ORGFU6RZM54HKU3WOAYHSRTNPJRESSLTIZGGGLJZINRGEVKQJJKA&issuer=Tillbook',
  backupCodes: Array.from({ length: 10 }, (_, index) => `code${index}-abcde`),
}

test('a second factor is told as a secret, a link and ten backup codes', async () => {
  const lines = await secondFactorLines(factor, false)
  expect(lines).toEqual([
    `TOTP secret  ${factor.totpSecret}`,
    `Link         ${factor.otpauthUrl}`,
    `Backup       ${factor.backupCodes.slice(0, 5).join(' ')}`,
    `codes        ${factor.backupCodes.slice(5).join(' ')}`,
  ])
})

test('at a terminal it is a QR code too, which a camera can read', async () => {
  const lines = await secondFactorLines(factor, true)
  const code = lines.filter((line) => line.startsWith('\u001b[30;107m'))
  const { data, width, height } = pixelsOf(code.map((line) => line.slice(9, -4)))
  expect(Math.max(...code.map((line) => [...line].length - 13))).toBeLessThanOrEqual(76)
  expect(jsQR.default(data, width, height, { inversionAttempts: 'dontInvert' })?.data).toBe(
    factor.otpauthUrl,
  )
})

// A character is two modules, one above the other; the block is what is dark.
function pixelsOf(lines: readonly string[]) {
  const scale = 4
  const rows = lines.flatMap((line) => [
    [...line].map((letter) => '█▀'.includes(letter)),
    [...line].map((letter) => '█▄'.includes(letter)),
  ])
  const width = (rows[0]?.length ?? 0) * scale
  const height = rows.length * scale
  const data = new Uint8ClampedArray(width * height * 4).fill(255)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (!rows[Math.floor(y / scale)]?.[Math.floor(x / scale)]) continue
      data.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3)
    }
  }
  return { data, width, height }
}
