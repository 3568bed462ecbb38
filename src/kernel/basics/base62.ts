// Numbers as digits and letters: what a person can select with a double click, and what no part
// of an address needs to escape. The width is fixed, so that equal values have one spelling.
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

// The least that holds 128 bits.
export const uuidDigits = 22

export function encodeBase62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest /= 62n) {
    text = digits.charAt(Number(rest % 62n)) + text
  }
  return text
}

export function encodeUuid(uuid: string): string {
  return encodeBase62(BigInt(`0x${uuid.replaceAll('-', '')}`), uuidDigits)
}

// The caller has made sure that these are digits of ours, and as many as a UUID has. 22 of them
// can say more than 128 bits hold; then there is no UUID.
export function decodeUuid(text: string): string | undefined {
  let value = 0n
  for (const digit of text) value = value * 62n + BigInt(digits.indexOf(digit))
  const hex = value.toString(16).padStart(32, '0')
  if (hex.length > 32) return undefined
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
