// An assertion marks a bug in this program. What a caller can cause is a Fault instead.
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`)
}

export function assertDefined<T>(value: T | null | undefined, message: string): T {
  assert(value !== null && value !== undefined, message)
  return value
}

export function unreachable(value: never): never {
  throw new Error(`assertion failed: unexpected value ${JSON.stringify(value)}`)
}
