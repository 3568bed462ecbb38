// An authenticator app (RFC 6238), written independently of the code it tests.
import { createHmac } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export function totp(base32Secret: string, at: Date, stepOffset = 0): string {
  const counter = Buffer.alloc(8)
  counter.writeUInt32BE(Math.floor(at.getTime() / 30_000) + stepOffset, 4)
  const mac = createHmac('sha1', decodeBase32(base32Secret)).update(counter).digest()
  const start = (mac.at(-1) ?? 0) & 15
  const number = mac.readUInt32BE(start) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}

export function decodeBase32(text: string): Buffer {
  let bits = 0
  let held = 0
  const bytes: number[] = []
  for (const letter of text) {
    held = (held << 5) | alphabet.indexOf(letter)
    bits += 5
    if (bits >= 8) {
      bits -= 8
      bytes.push((held >> bits) & 255)
      held &= (1 << bits) - 1
    }
  }
  return Buffer.from(bytes)
}
