// Deciding about a request: approve, reject, or withdraw one's own.
import type { VNode } from 'preact'
import { approveApproval } from '../../merchant/approvals/approve-approval.ts'
import { getApproval } from '../../merchant/approvals/get-approval.ts'
import { getApprovalWarnings } from '../../merchant/approvals/get-approval-warnings.ts'
import type { ApprovalView } from '../../merchant/approvals/read-approval-views.ts'
import { rejectApproval } from '../../merchant/approvals/reject-approval.ts'
import { withdrawApproval } from '../../merchant/approvals/withdraw-approval.ts'
import { accountText } from '../components/account-text.ts'
import { DraftText } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { Moment } from '../components/moment.tsx'
import { type Draft, defineForm, type Shown } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { approvalTitle } from './approval-text.ts'
import { Warnings } from './approval-warnings.tsx'

const backToApproval = (visit: Visit) => ({
  href: visit.href(`/approvals/${visit.param('id')}`),
  text: 'Approval',
})

async function decisionPage(
  visit: Visit,
  draft: Draft,
  verb: string,
  {
    isDangerous = false,
    content,
  }: { isDangerous?: boolean; content: (view: ApprovalView) => VNode },
): Promise<Shown> {
  const id = { id: visit.param('id') }
  const [approval, warnings] = await Promise.all([
    visit.run(getApproval, id),
    visit.run(getApprovalWarnings, id),
  ])
  return formPage({
    title: `${verb}: ${approvalTitle(approval)}`,
    back: backToApproval(visit),
    draft,
    submit: verb,
    isDangerous,
    children: (
      <>
        <Warnings {...{ visit, approval, warnings }} />
        {content(approval)}
      </>
    ),
  })
}

const approveForm = defineForm({
  path: '/approvals/:id/approve',
  operation: approveApproval,
  isSensitive: true,
  input: (visit) => ({ id: visit.param('id') }),
  show: (visit, draft) =>
    decisionPage(visit, draft, 'Approve', {
      content: (approval) => (
        <p>
          {approval.requesterName ?? 'A person who has left'} asked for it on{' '}
          <Moment at={approval.createdAt} zone={visit.zone} />. It is executed at once.
          {approval.operation === 'payout' && approval.request.accountEnding && (
            <> The money goes to {accountText(approval.request)}.</>
          )}
        </p>
      ),
    }),
  done: (visit) => ({ location: backToApproval(visit).href, message: 'Approved and executed.' }),
})

const rejectForm = defineForm({
  path: '/approvals/:id/reject',
  operation: rejectApproval,
  input: (visit, form) => ({ id: visit.param('id'), reason: (form.get('reason') ?? '').trim() }),
  show: (visit, draft) =>
    decisionPage(visit, draft, 'Reject', {
      isDangerous: true,
      content: () => (
        <DraftText
          draft={draft}
          name="reason"
          label="Reason"
          hint="The person who asked sees it."
        />
      ),
    }),
  done: (visit) => ({
    location: backToApproval(visit).href,
    message: 'Rejected. No money was moved.',
  }),
})

const withdrawForm = defineForm({
  path: '/approvals/:id/withdraw',
  operation: withdrawApproval,
  input: (visit) => ({ id: visit.param('id') }),
  show: (visit, draft) =>
    decisionPage(visit, draft, 'Withdraw', {
      isDangerous: true,
      content: () => <p>Your request ends. No money is moved.</p>,
    }),
  done: (visit) => ({
    location: backToApproval(visit).href,
    message: 'Withdrawn. No money was moved.',
  }),
})

export const approvalForms = [...approveForm, ...rejectForm, ...withdrawForm]
