// What an approver should see before deciding: doubles, an overdraft, and what else is going on.
import { Alert } from '../../kernel/web/components.tsx'
import type { ApprovalWarnings } from '../../merchant/approvals/get-approval-warnings.ts'
import type { ApprovalView } from '../../merchant/approvals/read-approval-views.ts'
import { Money } from '../components/money.tsx'
import type { Visit } from '../shell/visit.ts'
import { kindLabels } from './approval-text.ts'

type WarningsProps = { visit: Visit; approval: ApprovalView; warnings: ApprovalWarnings }

export function Warnings({ visit, approval, warnings }: WarningsProps) {
  const { isDuplicate, overdraft, state, operation, request } = approval
  if (state !== 'pending') return null
  const { alike, slices } = warnings
  const currency = request.currency ?? ''
  const noun = operation === 'refund' ? 'refund' : 'payout'
  return (
    <>
      {isDuplicate && (
        <Alert tone="unsure">
          <strong>Duplicate pending request.</strong> The same request waits more than once.
          Approving both does it twice.
        </Alert>
      )}
      {overdraft && (
        <Alert tone="unsure">
          <strong>This overdraws the balance.</strong> Available after the refund:{' '}
          <Money minor={overdraft.availableMinor} currency={overdraft.currency} />. Pending:{' '}
          <Money minor={overdraft.pendingMinor} currency={overdraft.currency} />.
        </Alert>
      )}
      {slices && (
        <Alert tone="unsure">
          <strong>Smaller {noun}s went out.</strong> In the 24 hours before, {slices.count}{' '}
          {slices.count === 1 ? noun : `${noun}s`} of together{' '}
          <Money minor={slices.totalMinor} currency={currency} /> needed no approval. The threshold
          is <Money minor={slices.thresholdMinor} currency={currency} />.
        </Alert>
      )}
      {alike.count > 0 && (
        <Alert tone="plain">
          {alike.count} more of the same kind {alike.count === 1 ? 'waits' : 'wait'}
          {alike.totalMinor !== null && (
            <>
              {' '}
              (together <Money minor={alike.totalMinor} currency={currency} />)
            </>
          )}
          .{' '}
          <a href={visit.href('/approvals', { kind: operation })}>
            Show {kindLabels[operation].toLowerCase()}
          </a>
        </Alert>
      )}
    </>
  )
}
