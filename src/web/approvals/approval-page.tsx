// One approval: who asked, what exactly, what it does to the balance, and the decision.
import type { VNode } from 'preact'
import { Card } from '../../kernel/web/components.tsx'
import { approveApproval } from '../../merchant/approvals/approve-approval.ts'
import { getApproval } from '../../merchant/approvals/get-approval.ts'
import { getApprovalWarnings } from '../../merchant/approvals/get-approval-warnings.ts'
import type { ApprovalView } from '../../merchant/approvals/read-approval-views.ts'
import { rejectApproval } from '../../merchant/approvals/reject-approval.ts'
import { withdrawApproval } from '../../merchant/approvals/withdraw-approval.ts'
import { accountPurpose, accountText } from '../components/account-text.ts'
import { DraftText } from '../components/draft-fields.tsx'
import { type Fact, Facts } from '../components/facts.tsx'
import { formPage } from '../components/form-page.tsx'
import { Moment } from '../components/moment.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Status } from '../components/status.tsx'
import { type Draft, defineForm, definePage, type Shown } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { approvalTitle } from './approval-text.ts'
import { Warnings } from './approval-warnings.tsx'

const list = { path: '/approvals', text: 'Approvals' }

export const approvalPages = definePage({
  path: '/approvals/:id',
  operation: getApproval,
  async show(visit) {
    const id = { id: visit.param('id') }
    const [approval, warnings] = await Promise.all([
      visit.run(getApproval, id),
      visit.run(getApprovalWarnings, id),
    ])
    return {
      title: approvalTitle(approval),
      content: (
        <>
          <PageHeader
            back={{ href: visit.href(list.path), text: list.text }}
            title={
              <>
                {approvalTitle(approval)} <Status of={approval.state} />
              </>
            }
            actions={<Actions visit={visit} approval={approval} />}
          />
          <div class="stack">
            <Warnings {...{ visit, approval, warnings }} />
            <Request visit={visit} approval={approval} />
          </div>
        </>
      ),
    }
  },
})

function Actions({ visit, approval }: { visit: Visit; approval: ApprovalView }) {
  if (approval.state !== 'pending') return null
  const own = approval.requesterPersonId === visit.actor.personId
  const link = (verb: string, text: string, look = '') => (
    <a class={`btn ${look}`} href={visit.href(`/approvals/${approval.id}/${verb}`)}>
      {text}
    </a>
  )
  if (own) {
    return (
      <>
        <span class="quiet">You can’t approve your own request.</span>
        {visit.may(withdrawApproval) && link('withdraw', 'Withdraw')}
      </>
    )
  }
  if (!visit.may(approveApproval)) return null
  return (
    <>
      {link('reject', 'Reject')}
      {link('approve', 'Approve', 'btn-primary')}
    </>
  )
}

function Request({ visit, approval }: { visit: Visit; approval: ApprovalView }) {
  const { operation, objectId, request, reason, decidedAt } = approval
  return (
    <Card title="Request">
      <Facts
        facts={[
          ['Asked by', <Requester approval={approval} />],
          ['Asked', <Moment at={approval.createdAt} zone={visit.zone} />],
          operation === 'refund' && [
            'Payment',
            <a href={visit.href(`/payments/${objectId}`)}>Open the payment</a>,
          ],
          approval.subjectName !== null && ['Their e-mail', request.email],
          ...accountFacts(approval),
          approval.state === 'pending' && [
            'Expires',
            <Moment at={approval.expiresAt} zone={visit.zone} />,
          ],
          approval.deciderName !== null && ['Decided by', approval.deciderName],
          decidedAt !== null && ['Decided', <Moment at={decidedAt} zone={visit.zone} />],
          reason !== null && ['Reason', reason],
        ]}
      />
    </Card>
  )
}

function Requester({ approval: { requesterName, requesterEmail } }: { approval: ApprovalView }) {
  return (
    <>
      {requesterName ?? 'A person who has left'}
      {requesterEmail !== null && <span class="quiet d-block">{requesterEmail}</span>}
    </>
  )
}

function accountFacts({ operation, request }: ApprovalView): Fact[] {
  if (!request.accountEnding && !request.removes) return []
  if (operation !== 'settlement_account') return [['To', accountText(request)]]
  const before = {
    beneficiaryName: request.beforeBeneficiaryName,
    bankCode: request.beforeBankCode,
    accountEnding: request.beforeAccountEnding,
  }
  return [
    ['For', accountPurpose(request.currency)],
    ['Account now', before.accountEnding ? accountText(before) : 'None'],
    ...newAccountFacts(request),
  ]
}

function newAccountFacts(request: ApprovalView['request']): Fact[] {
  if (request.removes) return [['New account', 'None: this one is removed']]
  return [
    ['New account', accountText(request)],
    ['Holder at the bank', request.holderName ?? 'Not confirmed by the payment provider'],
  ]
}

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
