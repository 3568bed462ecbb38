// Recomputes the hash chain of every journal. A changed entry or line no longer matches its hash; a
// removed one leaves a gap; entries cut off at the end are missing before the head. It can run
// while others post, and so reads in several statements: the head is read before the entries, which
// never change and must reach it.
import type { Sql } from '../../kernel/db/database.ts'
import { type Violation, violationsMax } from '../../kernel/db/invariant.ts'
import { entryHash, firstPreviousHash } from './journal-entry.ts'
import { listHeads, type TenantHead } from './journal-invariant-store.ts'
import { listEntries } from './journal-page-store.ts'

const headsPerPage = 100
const entriesPerPage = 1000n

export async function verifyChains(sql: Sql): Promise<readonly Violation[]> {
  const found: Violation[] = []
  let after: TenantHead | null = null
  for (;;) {
    const heads: TenantHead[] = await listHeads(sql, after, headsPerPage)
    for (const head of heads) {
      await verifyChain(sql, head, found)
      if (found.length >= violationsMax) return found.slice(0, violationsMax)
      after = head
    }
    if (heads.length < headsPerPage) return found
  }
}

async function verifyChain(sql: Sql, head: TenantHead, found: Violation[]): Promise<void> {
  const { businessId, environment } = head
  const report = (sequence: bigint, problem: string) => {
    found.push({ businessId, environment, sequence, problem })
  }
  let last = 0n
  let hash: Uint8Array = firstPreviousHash
  for (let first = 1n; first <= head.sequence; first += entriesPerPage) {
    const end = first + entriesPerPage - 1n
    for (const entry of await listEntries(
      sql,
      head,
      first,
      end < head.sequence ? end : head.sequence,
    )) {
      if (entry.sequence !== last + 1n) report(entry.sequence, 'entries before it are missing')
      else if (!equal(entryHash(hash, head, entry), entry.hash)) {
        report(entry.sequence, 'the entry does not match its hash')
      }
      if (found.length >= violationsMax) return
      // The stored hash counts as the predecessor, so that one change is not reported twice.
      last = entry.sequence
      hash = entry.hash
    }
  }
  if (last < head.sequence) report(head.sequence, 'the last entries are missing')
  else if (!equal(hash, head.hash)) report(head.sequence, 'the last entry does not match the head')
}

function equal(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0
}
