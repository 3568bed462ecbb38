// How values are written for the database, and read. Writing one must never throw: the driver
// (postgres.js 3.4.9) has put a statement into its queue by then. When others are under way on the
// same connection, it would fail one of those instead, and every answer after that would go to
// whoever asked before. A value that cannot be written is therefore written as something that the
// server refuses, which is an error like any other.

// No text in the database may hold this character.
const refused = '\0'

export const undefinedValue = refused

export const valueTypes = {
  bigint: { to: 20, from: [20], parse: BigInt, serialize: String },
  // A day has no time zone: it stays the text that the database sent.
  date: { to: 1082, from: [1082], parse: String, serialize: String },
  instant: { to: 1184, from: [1114, 1184], parse: readInstant, serialize: writeInstant },
  json: { to: 114, from: [114, 3802], parse: JSON.parse, serialize: writeJson },
}

function readInstant(text: string): Date {
  return new Date(text)
}

function writeInstant(value: Date | string): string {
  const instant = new Date(value)
  return Number.isNaN(instant.getTime()) ? refused : instant.toISOString()
}

function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? refused
  } catch {
    return refused
  }
}
