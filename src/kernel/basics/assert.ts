// A failed assertion is a bug in this program. Errors that a caller can cause are Faults.
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
