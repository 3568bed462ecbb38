// Automatic booking of payment-service money: whether it is on, since when, on which accounts, and
// what waits with the reason.
import { listAccounts } from '../../books/accounts/list-accounts.ts'
import { getServiceMoney } from '../../books/service-money/get-service-money.ts'
import { retryServiceMoney } from '../../books/service-money/retry-service-money.ts'
import { setServiceMoney } from '../../books/service-money/set-service-money.ts'
import { getOrganisation } from '../../books/settings/get-organisation.ts'
import { today } from '../../books/settings/organisation.ts'
import { Badge } from '../../kernel/web/components.tsx'
import { ActionButton } from '../components/app-form.tsx'
import { DraftSelect, DraftText } from '../components/draft-fields.tsx'
import { Facts } from '../components/facts.tsx'
import { formPage } from '../components/form-page.tsx'
import { Moment } from '../components/moment.tsx'
import { Money } from '../components/money.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Table } from '../components/table.tsx'
import { defineAction, defineForm, definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'

const path = '/settings/service-money'

const accountLabels = {
  unassignedAccountId: 'Payments without an invoice',
  shareAccountId: 'Shares of recipients',
  payoutAccountId: 'Payouts arrive on',
} as const
type AccountField = keyof typeof accountLabels
const accountFields = Object.keys(accountLabels) as AccountField[]

// How customers can pay invoices on their pages.
const onlineChoices = {
  no: 'No, they only read them',
  whole: 'Yes, all that is due',
  parts: 'Yes, all that is due or a part',
} as const

type Online = Pick<
  Awaited<ReturnType<typeof getServiceMoney.run>>,
  'takesInvoicePayments' | 'takesPartPayments'
>

function onlineOf({ takesInvoicePayments, takesPartPayments }: Online): keyof typeof onlineChoices {
  if (!takesInvoicePayments) return 'no'
  return takesPartPayments ? 'parts' : 'whole'
}

const page = definePage({
  path,
  operation: getServiceMoney,
  async show(visit) {
    const [money, accounts] = await Promise.all([
      visit.run(getServiceMoney, {}),
      visit.run(listAccounts, {}),
    ])
    const names = new Map(accounts.map(({ id, code, name }) => [id, `${code} ${name}`]))
    return {
      title: 'Automatic booking',
      content: (
        <>
          <PageHeader
            back={{ href: visit.href('/settings'), text: 'Settings' }}
            title="Automatic booking"
            lead="Payments, fees, refunds, chargebacks and payouts of the payment service are posted to the books by themselves."
            actions={
              visit.may(setServiceMoney) && (
                <a class="btn btn-primary" href={visit.href(`${path}/edit`)}>
                  Change
                </a>
              )
            }
          />
          <div class="card mb-3">
            <div class="card-body">
              <Facts
                facts={[
                  [
                    'Booking',
                    money.isOn ? <Badge tone="good">On</Badge> : <Badge tone="unsure">Off</Badge>,
                  ],
                  money.since && ['Money since', <Moment at={money.since} zone={visit.zone} />],
                  ['Customers pay invoices online', onlineChoices[onlineOf(money)]],
                  ...accountFields.map(
                    (field) =>
                      [accountLabels[field], names.get(money[field] ?? '') ?? '–'] as const,
                  ),
                ]}
              />
            </div>
          </div>
          <Waiting visit={visit} waiting={money.waiting} />
        </>
      ),
    }
  },
})

type WaitingProps = {
  visit: Visit
  waiting: Awaited<ReturnType<typeof getServiceMoney.run>>['waiting']
}

function Waiting({ visit, waiting }: WaitingProps) {
  if (waiting.length === 0) return <p class="quiet">Nothing waits to be posted.</p>
  return (
    <section>
      <div class="section-head">
        <h2>What waits, and why</h2>
        {visit.may(retryServiceMoney) && (
          <ActionButton
            action={visit.href(`${path}/retry`)}
            token={visit.context.ids.uuid()}
            label="Try again now"
          />
        )}
      </div>
      <Table
        caption="Waiting movements"
        rows={waiting}
        keyOf={({ reason, currency }) => `${reason} ${currency}`}
        columns={[
          { label: 'Why', cell: ({ reason }) => reason ?? 'It is posted in a moment.' },
          { label: 'Movements', isNumber: true, cell: ({ count }) => String(count) },
          {
            label: 'Amount',
            isNumber: true,
            cell: ({ heldMinor, currency }) => <Money minor={heldMinor} currency={currency} />,
          },
        ]}
      />
    </section>
  )
}

const editForm = defineForm({
  path: `${path}/edit`,
  operation: setServiceMoney,
  input(_visit, form) {
    const filled = (name: string) => (form.get(name) ? { [name]: form.get(name) ?? '' } : {})
    return {
      isOn: form.get('isOn') === 'yes',
      ...(form.has('online') && {
        takesInvoicePayments: form.get('online') !== 'no',
        takesPartPayments: form.get('online') === 'parts',
      }),
      ...filled('from'),
      ...Object.assign({}, ...accountFields.map(filled)),
    }
  },
  async show(visit, draft) {
    const [money, accounts, organisation] = await Promise.all([
      visit.run(getServiceMoney, {}),
      visit.run(listAccounts, {}),
      visit.run(getOrganisation, {}),
    ])
    const choices = Object.fromEntries(
      accounts
        .filter(({ active }) => active)
        .map(({ id, code, name }) => [id, `${code} ${name}`] as const),
    )
    return formPage({
      title: 'Automatic booking',
      back: { href: visit.href(path), text: 'Automatic booking' },
      draft,
      submit: 'Save',
      children: (
        <>
          <DraftSelect
            draft={draft}
            name="isOn"
            label="Post the money of the payment service"
            initial={money.isOn ? 'yes' : 'no'}
            choices={{ yes: 'Yes', no: 'No' }}
          />
          <DraftText
            draft={draft}
            name="from"
            label="From this day on (optional)"
            hint={
              money.since
                ? 'Empty goes on where it is. An earlier day posts what is missing since then, and nothing twice.'
                : 'Earlier money is left to you.'
            }
            type="date"
            initial={money.since ? '' : today(organisation, visit.context.clock.now())}
            isOptional
          />
          <DraftSelect
            draft={draft}
            name="online"
            label="Customers can pay invoices on their pages"
            hint="While booking is on, and in currencies that the payment service takes."
            initial={onlineOf(money)}
            choices={onlineChoices}
          />
          {accountFields.map((field) => (
            <DraftSelect
              key={field}
              draft={draft}
              name={field}
              label={`${accountLabels[field]} (optional)`}
              initial={money[field] ?? ''}
              choices={choices}
              isOptional
            />
          ))}
        </>
      ),
    })
  },
  done: (visit, { isOn }) => ({
    location: visit.href(path),
    message: isOn ? 'Automatic booking is on.' : 'Automatic booking is off.',
  }),
})

const retryAction = defineAction({
  path: `${path}/retry`,
  operation: retryServiceMoney,
  page: (visit) => visit.href(path),
  input: () => ({}),
  done: (visit, { tried }) => ({
    location: visit.href(path),
    message: tried === 0 ? 'Nothing waits.' : 'They are tried again now.',
  }),
})

export const serviceMoneyPages = [...page, ...editForm, ...retryAction]
