// What the person is notified about in this business, by mail and in the application.
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
  quotes: ['Quotes', 'A customer has accepted or declined a quote.'],
  recurring: ['Recurring documents', 'A schedule could not make, post or send something.'],
}

export const notificationsForm = defineForm({
  path: '/settings/notifications',
  operation: setNotificationChoices,
  input: (_visit, form) => ({
    kinds: optionalKinds.filter((kind) => form.getAll('kinds').includes(kind)),
    shownKinds: optionalKinds.filter((kind) => form.getAll('shownKinds').includes(kind)),
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
            About {visit.membership.businessName}, by mail to {visit.session.email} and behind the
            bell of the application. They are about live money; the sandbox has none.
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
      {choices.map((choice) => (
        <div class="notice-choice" key={choice.kind}>
          <div id={`about-${choice.kind}`}>
            <strong>{labels[choice.kind][0]}</strong>
            <span class="quiet d-block">{labels[choice.kind][1]}</span>
          </div>
          <Way choice={choice} draft={draft} name="kinds" label="Mail" isOn={choice.isOn} />
          {choice.kind !== 'security' && (
            <Way
              choice={choice}
              draft={draft}
              name="shownKinds"
              label="Bell"
              isOn={choice.isShown}
            />
          )}
        </div>
      ))}
    </fieldset>
  )
}

type WayProps = {
  choice: NotificationChoice
  draft: Draft
  name: 'kinds' | 'shownKinds'
  label: string
  isOn: boolean
}

function Way({ choice: { kind, isOptional }, draft, name, label, isOn }: WayProps) {
  return (
    <label class="form-check mb-0">
      <input
        class="form-check-input"
        type="checkbox"
        name={name}
        value={kind}
        checked={isChecked(draft, name, kind, isOn)}
        disabled={!isOptional}
        aria-describedby={`about-${kind}`}
      />
      <span class="form-check-label">{label}</span>
    </label>
  )
}

// A form that is shown again keeps what the person ticked.
function isChecked(
  { values, problems, refusal }: Draft,
  name: string,
  kind: string,
  isOn: boolean,
): boolean {
  const isAgain = refusal !== undefined || Object.keys(problems).length > 0
  return isAgain ? values.getAll(name).includes(kind) : isOn
}
