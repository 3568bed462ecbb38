// Settings: an index of everything that can be set, in groups. A person sees what they may open.

import { exportJournal } from '../../books/export/export-journal.ts'
import { journalLinks } from '../../books/export/journal-pages.ts'
import { getOrganisation } from '../../books/settings/get-organisation.ts'
import type { AccessOperations } from '../../kernel/access/access-operations.ts'
import { getBrand } from '../../kernel/brand/get-brand.ts'
import { listMails } from '../../kernel/mailbox/list-mails.ts'
import { listNotificationChoices } from '../../kernel/notices/list-notification-choices.ts'
import { Card } from '../../kernel/web/components.tsx'
import { listThresholds } from '../../merchant/approvals/list-thresholds.ts'
import { getAccount } from '../../merchant/business/get-account.ts'
import { listSettlementAccounts } from '../../merchant/business/list-settlement-accounts.ts'
import { listFeeSchedules } from '../../merchant/fees/list-fee-schedules.ts'
import { setPayerMails } from '../../merchant/payer-mails/set-payer-mails.ts'
import { PageHeader } from '../components/page-header.tsx'
import { type AppRoute, definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { booksSettings, type Setting } from './books-settings.ts'
import { RefundKeys } from './refund-keys-form.tsx'

const businessSettings: Setting[] = [
  {
    label: 'Business details',
    path: '/settings/business',
    text: 'Legal name, address, tax number, time zone, formats and verification.',
    operation: getOrganisation,
  },
  {
    label: 'Branding',
    path: '/settings/branding',
    text: 'Logo, colour, contact and links that your payers see.',
    operation: getBrand,
  },
  {
    label: 'Mails to payers',
    path: '/settings/payer-mails',
    text: 'Receipts and refund notices, with your branding.',
    operation: setPayerMails,
  },
  {
    label: 'Bank accounts',
    path: '/payouts',
    text: 'Where your payouts go.',
    operation: listSettlementAccounts,
  },
  {
    label: 'Fees',
    path: '/settings/fees',
    text: 'What each payment costs you.',
    operation: listFeeSchedules,
  },
]

const groupsOf = ({ listMembers, listActs }: AccessOperations): [string, Setting[]][] => [
  ['Business', businessSettings],
  [
    'People',
    [
      {
        label: 'Team',
        path: '/settings/team',
        text: 'Who has access, with which role; invitations.',
        operation: listMembers,
      },
      {
        label: 'Approval thresholds',
        path: '/settings/thresholds',
        text: 'Above which amounts a second person has to agree.',
        operation: listThresholds,
      },
      {
        label: 'Notifications',
        path: '/settings/notifications',
        text: 'What you are notified about, by mail and in the application.',
        operation: listNotificationChoices,
      },
    ],
  ],
  ['Books', booksSettings],
  [
    'Records',
    [
      {
        label: 'Audit log',
        path: '/settings/audit-log',
        text: 'Every change in this business, and who made it.',
        operation: listActs,
      },
      {
        label: 'Mails',
        path: '/settings/mails',
        text: 'What was sent to customers, payers and your team, and what failed.',
        operation: listMails,
      },
    ],
  ],
]

export function settingsPages(access: AccessOperations): AppRoute[] {
  const groups = groupsOf(access)
  return definePage({
    path: '/settings',
    operation: getAccount,
    async show(visit) {
      const account = await visit.run(getAccount, {})
      return {
        title: 'Settings',
        content: (
          <>
            <PageHeader title="Settings" />
            <div class="stack">
              {groups.map(([title, settings]) => (
                <Group key={title} {...{ visit, title, settings }} />
              ))}
              <RefundKeys visit={visit} account={account} />
              <JournalExport visit={visit} />
            </div>
          </>
        ),
      }
    },
  })
}

type GroupProps = { visit: Visit; title: string; settings: readonly Setting[] }

function Group({ visit, title, settings }: GroupProps) {
  const open = settings.filter(({ operation }) => visit.may(operation))
  if (open.length === 0) return null
  return (
    <section>
      <h2>{title}</h2>
      <ul class="setting-list">
        {open.map(({ label, path, text }) => (
          <li key={path}>
            <a class="card setting" href={visit.href(path)}>
              <strong>{label}</strong>
              <span class="quiet">{text}</span>
            </a>
          </li>
        ))}
      </ul>
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
