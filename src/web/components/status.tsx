// The status of an object, in words that people use, with a colour that repeats them.
import { Badge, type Tone } from '../../kernel/web/components.tsx'

const looks: Readonly<Record<string, readonly [Tone, string]>> = {
  pending: ['unsure', 'Pending'],
  processing: ['unsure', 'Processing'],
  succeeded: ['good', 'Succeeded'],
  partially_refunded: ['plain', 'Partly refunded'],
  refunded: ['plain', 'Refunded'],
  failed: ['bad', 'Failed'],
  cancelled: ['plain', 'Cancelled'],
  completed: ['good', 'Completed'],
  approved: ['good', 'Approved'],
  rejected: ['bad', 'Rejected'],
  expired: ['plain', 'Expired'],
  withdrawn: ['plain', 'Withdrawn'],
  void: ['plain', 'Void'],
  active: ['good', 'Active'],
  paused: ['unsure', 'Paused'],
  ended: ['plain', 'Ended'],
  incomplete: ['unsure', 'Not started'],
  past_due: ['bad', 'Past due'],
  inactive: ['plain', 'Inactive'],
  disabled: ['bad', 'Off'],
  revoked: ['plain', 'Revoked'],
  delivered: ['good', 'Delivered'],
  dead: ['bad', 'Given up'],
  accepted: ['good', 'Refunded'],
  settled: ['good', 'Refunded'],
  reversed: ['bad', 'Failed'],
  open: ['unsure', 'Open'],
  needs_answer: ['bad', 'Needs an answer'],
  under_review: ['unsure', 'Under review'],
  won: ['good', 'Won'],
  lost: ['plain', 'Lost'],
  resolved: ['good', 'Resolved'],
  verified: ['good', 'Verified'],
  unverified: ['unsure', 'Not verified'],
}

export function Status({ of }: { of: string }) {
  const [tone, label] = looks[of] ?? ['plain', of.replaceAll('_', ' ')]
  return <Badge tone={tone}>{label}</Badge>
}
