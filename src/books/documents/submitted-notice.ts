// The mail to the people who can approve a document.
import type { Actor } from '../../kernel/auth/actor.ts'
import { moneyText } from '../../kernel/money/money-text.ts'
import type { Notice } from '../../kernel/notices/notice.ts'
import { approverRoles } from '../../kernel/operations/permission.ts'
import type { Document } from './document.ts'
import { isSale } from './document-status.ts'

export function submittedNotice(document: Document, actor: Actor, submittedAt: Date): Notice {
  const { id, kind } = document
  const name = kind.replaceAll('_', ' ')
  const amount = moneyText(document.totalMinor, document.currency)
  return {
    kind: 'approvals',
    fact: `document.submit/${id}/${submittedAt.toISOString()}`,
    subject: `Please decide: ${name} of ${amount}`,
    lines: [`The ${name} of ${amount}, dated ${document.date}, waits for approval:`],
    path: `${isSale(kind) ? '/invoices' : '/bills'}/${id}`,
    roles: approverRoles,
    exceptPersonId: actor.kind === 'person' ? actor.personId : document.authorPersonId,
  }
}
