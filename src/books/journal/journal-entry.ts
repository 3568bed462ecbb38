// A journal entry: one fact, as lines that sum to zero in the base currency. Pure data;
// post-entry.ts stores it. Positive is a debit, negative a credit.
import { createHash } from 'node:crypto'
import { assert } from '../../kernel/basics/assert.ts'

export type JournalLine = {
  readonly accountId: string
  readonly baseMinor: bigint
  readonly currency: string
  readonly amountMinor: bigint
  readonly contactId: string | null
  // On control accounts (receivable, payable, expense claims): the open item that it changes.
  readonly openItemId: string | null
  readonly taxCodeId: string | null
  readonly description: string | null
}

export type NewEntry = {
  // The fact, as noun and past participle: `invoice.issued`, `payment.recorded`, `document.voided`.
  readonly kind: string
  readonly sourceId: string
  readonly reversesSequence: bigint | null
  readonly date: string
  readonly description: string
  readonly lines: readonly JournalLine[]
}

// A document has up to 200 lines, each with its own tax code of five accounts, and the control
// line.
const linesMax = 1201

// Removes lines of zero and merges lines that differ only in their amounts. A fact without amounts
// has no lines and needs no entry.
export function tidyLines(lines: readonly JournalLine[]): JournalLine[] {
  const merged = new Map<string, JournalLine>()
  for (const line of lines) {
    const { accountId, currency, contactId, openItemId, taxCodeId, description } = line
    const key = JSON.stringify([accountId, currency, contactId, openItemId, taxCodeId, description])
    const earlier = merged.get(key)
    merged.set(key, {
      ...line,
      baseMinor: line.baseMinor + (earlier?.baseMinor ?? 0n),
      amountMinor: line.amountMinor + (earlier?.amountMinor ?? 0n),
    })
  }
  return [...merged.values()].filter((line) => line.baseMinor !== 0n || line.amountMinor !== 0n)
}

// The exact negative of the stored lines, never computed again.
export function negateLines(lines: readonly JournalLine[]): JournalLine[] {
  return lines.map((line) => ({
    ...line,
    baseMinor: -line.baseMinor,
    amountMinor: -line.amountMinor,
  }))
}

export function assertPostable({ kind, lines }: NewEntry): void {
  const sum = lines.reduce((total, line) => total + line.baseMinor, 0n)
  assert(sum === 0n, `an entry ${kind} that does not balance by ${sum}`)
  assert(lines.length >= 2 && lines.length <= linesMax, `${lines.length} lines of ${kind}`)
}

// The predecessor of the first entry.
export const firstPreviousHash = Buffer.alloc(32)

export type HashedEntry = NewEntry & {
  readonly id: string
  readonly sequence: bigint
  readonly postedByKind: string
  readonly postedBy: string
  readonly postedAt: Date
}

export type StoredEntry = HashedEntry & { readonly hash: Uint8Array }

// sha256(previous hash, then the UTF-8 text below): a JSON array without spaces, amounts and
// sequences as decimal text, the time in milliseconds since 1970. It contains the tenant, so that a
// chain can't be moved to other books.
export function entryHash(
  previousHash: Uint8Array,
  { businessId, environment }: { businessId: string; environment: string },
  entry: HashedEntry,
): Buffer {
  const text = JSON.stringify([
    businessId,
    environment,
    String(entry.sequence),
    entry.id,
    entry.kind,
    entry.sourceId,
    entry.reversesSequence === null ? null : String(entry.reversesSequence),
    entry.date,
    entry.description,
    entry.postedByKind,
    entry.postedBy,
    String(entry.postedAt.getTime()),
    entry.lines.map((line) => [
      line.accountId,
      String(line.baseMinor),
      line.currency,
      String(line.amountMinor),
      line.contactId,
      line.openItemId,
      line.taxCodeId,
      line.description,
    ]),
  ])
  return createHash('sha256').update(previousHash).update(text, 'utf8').digest()
}
