// Settings: the business, its people, its thresholds, and the ways to look further.
import { exportJournal } from '../../books/export/export-journal.ts'
import { journalLinks } from '../../books/export/journal-pages.ts'
import type { AccessOperations } from '../../kernel/access/access-operations.ts'
import { Card } from '../../kernel/web/components.tsx'
import { listThresholds, type Thresholds } from '../../merchant/approvals/list-thresholds.ts'
import { requestThreshold } from '../../merchant/approvals/request-threshold.ts'
import type { Account, Standing } from '../../merchant/business/business.ts'
import { getAccount } from '../../merchant/business/get-account.ts'
import { createVerification } from '../../merchant/verification/create-verification.ts'
import { Facts } from '../components/facts.tsx'
import { Moment } from '../components/moment.tsx'
import { Money } from '../components/money.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Status } from '../components/status.tsx'
import { Table } from '../components/table.tsx'
import { thresholdLabels } from '../components/threshold-labels.ts'
import { type AppRoute, definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { RefundKeys } from './refund-keys-form.tsx'
import { Team } from './team.tsx'

export function settingsPages(access: AccessOperations): AppRoute[] {
  const { listMembers, listInvitations, changeRole, invitePerson } = access
  return definePage({
    path: '/settings',
    operation: listMembers,
    async show(visit) {
      const [account, members, invitations, thresholds] = await Promise.all([
        visit.run(getAccount, {}),
        visit.run(listMembers, {}),
        visit.run(listInvitations, {}),
        visit.run(listThresholds, {}),
      ])
      return {
        title: 'Settings',
        content: (
          <>
            <PageHeader title="Settings" />
            <div class="stack">
              <Business visit={visit} account={account} />
              <Team
                visit={visit}
                members={members}
                invitations={invitations}
                mayManage={visit.may(changeRole)}
                mayInvite={visit.may(invitePerson)}
              />
              <ThresholdList visit={visit} thresholds={thresholds} />
              <RefundKeys visit={visit} account={account} />
              <Card title="Notifications">
                <p>What you are mailed about: approvals, payouts, discrepancies and more.</p>
                <a class="btn" href={visit.href('/settings/notifications')}>
                  Choose your mails
                </a>
              </Card>
              <Card title="Audit log">
                <p>Every change in this business, and who made it.</p>
                <a class="btn" href={visit.href('/settings/audit-log')}>
                  Open the audit log
                </a>
              </Card>
              <JournalExport visit={visit} />
            </div>
          </>
        ),
      }
    },
  })
}

function Business({ visit, account }: { visit: Visit; account: Account & Standing }) {
  return (
    <Card title="Business">
      <Facts
        facts={[
          ['Name', account.name],
          ['Country', account.country],
          ['Contact', account.contactEmail],
          ['Verification', <Status of={account.kycStatus} />],
          ['Since', <Moment at={account.createdAt} zone={visit.zone} withTime={false} />],
        ]}
      />
      {account.kycStatus !== 'verified' && visit.may(createVerification) && (
        <a class="btn" href={visit.href('/settings/verification')}>
          Get verified
        </a>
      )}
    </Card>
  )
}

function ThresholdList({ visit, thresholds }: { visit: Visit; thresholds: Thresholds }) {
  const inForce = [...thresholds.own, ...thresholds.defaults.filter((one) => !one.isReplaced)]
  return (
    <section>
      <div class="section-head">
        <h2>A second person approves</h2>
        {visit.may(requestThreshold) && (
          <a class="btn" href={visit.href('/settings/thresholds/new')}>
            Set a threshold
          </a>
        )}
      </div>
      <Table
        caption="Approval thresholds"
        rows={inForce}
        keyOf={({ operation, currency }) => `${operation}-${currency}`}
        columns={[
          { label: 'What', cell: ({ operation }) => thresholdLabels[operation] },
          {
            label: 'Amount',
            isNumber: true,
            cell: ({ amountMinor, currency }) => <Money minor={amountMinor} currency={currency} />,
          },
        ]}
      />
    </section>
  )
}

function JournalExport({ visit }: { visit: Visit }) {
  if (!visit.may(exportJournal)) return null
  return (
    <Card title="Journal export">
      <p>The whole journal of the books as a text file for other programs.</p>
      <p class="actions">
        {journalLinks(visit.membership).map(({ href, text }) => (
          <a class="btn" key={href} href={href} data-turbo="false">
            {text}
          </a>
        ))}
      </p>
    </Card>
  )
}
