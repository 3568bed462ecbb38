// The status of a document or quote. The same word means different things: an approved bill is in
// the books, an approved invoice waits to be issued.
import { Badge, type Tone } from '../../kernel/web/components.tsx'
import type { PaperKind } from './document-place.ts'

const looks: Readonly<Record<string, readonly [Tone, string]>> = {
  draft: ['plain', 'Draft'],
  awaiting_approval: ['unsure', 'Awaiting approval'],
  approved: ['unsure', 'Approved'],
  posted: ['unsure', 'Issued'],
  sent: ['unsure', 'Sent'],
  partially_paid: ['unsure', 'Partly paid'],
  paid: ['good', 'Paid'],
  closed: ['plain', 'Closed'],
  void: ['plain', 'Void'],
  accepted: ['good', 'Accepted'],
  declined: ['bad', 'Declined'],
  expired: ['plain', 'Expired'],
  invoiced: ['good', 'Invoiced'],
}

export function PaperStatus({ kind, status }: { kind: PaperKind; status: string }) {
  const isCredit = kind === 'credit_note' || kind === 'supplier_credit'
  const [tone, label] = looks[status] ?? ['plain', status.replaceAll('_', ' ')]
  return <Badge tone={tone}>{isCredit ? (creditLabels[status] ?? label) : label}</Badge>
}

const creditLabels: Readonly<Record<string, string>> = {
  partially_paid: 'Partly used',
  closed: 'Used',
}
