// What the person is mailed about in this business.
import {
  listNotificationChoices,
  type NotificationChoice,
} from '../../kernel/notices/list-notification-choices.ts'
import { type NoticeKind, optionalKinds } from '../../kernel/notices/notice.ts'
import { setNotificationChoices } from '../../kernel/notices/set-notification-choices.ts'
import { formPage } from '../components/form-page.tsx'
import { type Draft, defineForm } from '../shell/define-page.ts'

const labels: Readonly<Record<NoticeKind, readonly [label: string, hint: string]>> = {
  approvals: ['Approvals', 'Something waits for your decision.'],
  bank_account: ['Bank account', 'Payouts are to go to another bank account, or do so now.'],
  security: ['People and security', 'Roles, second factors and members of the business.'],
  transfers: ['Payouts', 'A payout has arrived or failed.'],
  failures: ['Failed refunds', 'The payer did not get the money.'],
  disputes: ['Disputes', 'A payer’s bank takes a payment back, or has decided about it.'],
  discrepancies: ['Discrepancies', 'Your records and the provider’s differ. One mail an hour.'],
  webhooks: ['Webhooks', 'An endpoint was switched off.'],
  verification: ['Verification', 'A decision about your business.'],
  paid_online: ['Paid invoices', 'A customer has paid an invoice on its page.'],
}

export const notificationsForm = defineForm({
  path: '/settings/notifications',
  operation: setNotificationChoices,
  input: (_visit, form) => ({
    kinds: optionalKinds.filter((kind) => form.getAll('kinds').includes(kind)),
  }),
  async show(visit, draft) {
    const choices = await visit.run(listNotificationChoices, {})
    return formPage({
      title: 'Notifications',
      back: { href: visit.href('/settings'), text: 'Settings' },
      draft,
      submit: 'Save notifications',
      children: (
        <>
          <p>
            Mails to {visit.session.email} about {visit.membership.businessName}. They are about
            live money; the sandbox sends none.
          </p>
          <Group title="Always" choices={choices.filter((one) => !one.isOptional)} draft={draft} />
          <Group
            title="Your choice"
            choices={choices.filter((one) => one.isOptional)}
            draft={draft}
          />
        </>
      ),
    })
  },
  done: (visit) => ({
    location: visit.href('/settings/notifications'),
    message: 'Your notifications are saved.',
  }),
})

type GroupProps = { title: string; choices: readonly NotificationChoice[]; draft: Draft }

function Group({ title, choices, draft }: GroupProps) {
  return (
    <fieldset class="mb-3">
      <legend class="form-label">{title}</legend>
      {choices.map(({ kind, isOn, isOptional }) => (
        <label class="form-check" key={kind}>
          <input
            class="form-check-input"
            type="checkbox"
            name="kinds"
            value={kind}
            checked={isChecked(draft, kind, isOn)}
            disabled={!isOptional}
          />
          <span class="form-check-label">
            <strong>{labels[kind][0]}</strong>
            <br />
            <span class="quiet">{labels[kind][1]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

// A form that is shown again keeps what the person ticked.
function isChecked({ values, problems, refusal }: Draft, kind: string, isOn: boolean): boolean {
  const isAgain = refusal !== undefined || Object.keys(problems).length > 0
  return isAgain ? values.getAll('kinds').includes(kind) : isOn
}
