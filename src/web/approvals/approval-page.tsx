// One approval: who asked, what exactly, and what it does to the balance.
import { Card } from '../../kernel/web/components.tsx'
import { approveApproval } from '../../merchant/approvals/approve-approval.ts'
import { getApproval } from '../../merchant/approvals/get-approval.ts'
import { getApprovalWarnings } from '../../merchant/approvals/get-approval-warnings.ts'
import type { ApprovalView } from '../../merchant/approvals/read-approval-views.ts'
import { withdrawApproval } from '../../merchant/approvals/withdraw-approval.ts'
import type { BusinessBalance } from '../../merchant/balances/balance.ts'
import { listBalances } from '../../merchant/balances/list-balances.ts'
import { accountPurpose, accountText } from '../components/account-text.ts'
import { type Fact, Facts } from '../components/facts.tsx'
import { Moment } from '../components/moment.tsx'
import { Money } from '../components/money.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Status } from '../components/status.tsx'
import { definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { approvalTitle } from './approval-text.ts'
import { Warnings } from './approval-warnings.tsx'

const list = { path: '/approvals', text: 'Approvals' }

export const approvalPages = definePage({
  path: '/approvals/:id',
  operation: getApproval,
  async show(visit) {
    const id = { id: visit.param('id') }
    const [approval, warnings, balances] = await Promise.all([
      visit.run(getApproval, id),
      visit.run(getApprovalWarnings, id),
      visit.run(listBalances, {}),
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
            <Request {...{ visit, approval, balances }} />
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

type RequestProps = {
  visit: Visit
  approval: ApprovalView
  balances: readonly BusinessBalance[]
}

function Request({ visit, approval, balances }: RequestProps) {
  const { operation, objectId, request, reason, decidedAt } = approval
  return (
    <Card title="Request">
      <Facts
        facts={[
          ['Requested by', <Requester approval={approval} />],
          ['Requested', <Moment at={approval.createdAt} zone={visit.zone} />],
          operation === 'refund' && [
            'Payment',
            <a href={visit.href(`/payments/${objectId}`)}>Open the payment</a>,
          ],
          approval.subjectName !== null && ['Their e-mail', request.email],
          ...accountFacts(approval),
          balanceFact(visit, approval, balances),
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

// What there is to decide about: the amount of a payout is reserved when it is requested, that of a
// refund is not.
function balanceFact(
  visit: Visit,
  { operation, state, request }: ApprovalView,
  balances: readonly BusinessBalance[],
): Fact | false {
  const balance = balances.find(({ currency }) => currency === request.currency)
  if (state !== 'pending' || !balance) return false
  if (operation !== 'payout' && operation !== 'refund') return false
  const { currency, availableMinor } = balance
  return [
    'Available balance',
    <>
      <a href={visit.href(`/balances/${currency}/available`)}>
        <Money minor={availableMinor} currency={currency} />
      </a>
      <span class="quiet d-block">
        {operation === 'payout'
          ? 'The amount of this payout is already reserved.'
          : 'The refund is taken from it.'}
      </span>
    </>,
  ]
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
