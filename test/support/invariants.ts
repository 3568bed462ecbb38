// Everything that must hold, after whatever a test did.
import { expect } from 'vitest'
import { invariants } from '../../src/invariants.ts'
import type { Database } from '../../src/kernel/db/database.ts'

export async function expectInvariants({ sql }: Pick<Database, 'sql'>): Promise<void> {
  for (const { id, title, violations } of invariants) {
    expect(await violations(sql), `${id}: ${title}`).toEqual([])
  }
}
