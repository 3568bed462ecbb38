// Numbers as digits and letters: a double click selects all of it, and URLs don't escape it. The
// width is fixed, so that equal values have one spelling.
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

// The fewest digits that hold 128 bits.
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

// The caller has checked that the text is 22 base62 digits. They can hold more than 128 bits; then
// the result is undefined.
export function decodeUuid(text: string): string | undefined {
  let value = 0n
  for (const digit of text) value = value * 62n + BigInt(digits.indexOf(digit))
  const hex = value.toString(16).padStart(32, '0')
  if (hex.length > 32) return undefined
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
