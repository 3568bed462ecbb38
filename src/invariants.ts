// Everything that must hold in the data; `cli verify` and the tests run this list.
import { booksInvariants } from './books/invariants.ts'
import { verifyAuditLog } from './kernel/auth/verify-audit-log.ts'
import type { Invariant } from './kernel/db/invariant.ts'
import { ledgerInvariants } from './kernel/ledger/invariants.ts'
import { merchantInvariants } from './merchant/invariants.ts'

export const invariants: readonly Invariant[] = [
  ...ledgerInvariants,
  ...merchantInvariants,
  ...booksInvariants,
  verifyAuditLog,
]
