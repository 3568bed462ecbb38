// All invariants. `cli verify` and the tests check this list.

import { booksInvariants } from '../books/invariants.ts'
import { bridgeInvariants } from '../bridge/invariants.ts'
import { verifyAuditLog } from '../kernel/auth/verify-audit-log.ts'
import type { Invariant } from '../kernel/db/invariant.ts'
import { ledgerInvariants } from '../kernel/ledger/invariants.ts'
import { unsentMails } from '../kernel/mail/unsent-mails.ts'
import { webhookInvariants } from '../kernel/webhooks/invariants.ts'
import { merchantInvariants } from '../merchant/invariants.ts'
import { webhookProfiles } from './background-work.ts'

export const invariants: readonly Invariant[] = [
  ...ledgerInvariants,
  ...merchantInvariants,
  ...booksInvariants,
  ...bridgeInvariants,
  ...webhookInvariants(webhookProfiles),
  unsentMails,
  verifyAuditLog,
]
