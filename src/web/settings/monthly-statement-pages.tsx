// Statements of account that customers get by mail each month: the switch, and who gets the next.
import {
  getMonthlyStatements,
  type ShownMonthlyStatements,
  type StatementRecipient,
} from '../../books/statements/monthly/get-monthly-statements.ts'
import type { StatementProblem } from '../../books/statements/monthly/monthly-statement.ts'
import { setMonthlyStatements } from '../../books/statements/monthly/set-monthly-statements.ts'
import { Badge, Card } from '../../kernel/web/components.tsx'
import { ActionButton } from '../components/app-form.tsx'
import { Day } from '../components/day.tsx'
import { Facts } from '../components/facts.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { EmptyState, Table } from '../components/table.tsx'
import { defineAction, definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'

export const monthlyStatementsPath = '/settings/monthly-statements'

const page = definePage({
  path: monthlyStatementsPath,
  operation: getMonthlyStatements,
  async show(visit) {
    const shown = await visit.run(getMonthlyStatements, {})
    const { isOn, month, nextDay } = shown
    return {
      title: 'Monthly statements',
      content: (
        <>
          <PageHeader
            back={{ href: visit.href('/settings'), text: 'Settings' }}
            title="Monthly statements"
            lead="Customers get their statement of account by mail after the end of each month, with its PDF."
            actions={
              visit.may(setMonthlyStatements) && (
                <ActionButton
                  action={visit.href(`${monthlyStatementsPath}/set`)}
                  token={visit.context.ids.uuid()}
                  label={isOn ? 'Switch off' : 'Switch on'}
                  fields={{ isOn: isOn ? 'no' : 'yes' }}
                  isPrimary={!isOn}
                />
              )
            }
          />
          <div class="stack">
            <Card title="Mailing">
              <Facts
                facts={[
                  [
                    'Monthly statements',
                    isOn ? <Badge tone="good">On</Badge> : <Badge tone="unsure">Off</Badge>,
                  ],
                  [
                    isOn ? 'Next' : 'If you switch them on now',
                    <>
                      On <Day of={nextDay} />, for <Day of={month.from} /> to <Day of={month.to} />
                    </>,
                  ],
                  ['Time of day', '8:00 to 20:00 where the customer is'],
                ]}
              />
              <p class="quiet mb-0 mt-3">
                Months that have ended are not sent. A customer’s statements can be stopped on the
                page of the contact.
              </p>
            </Card>
            <Recipients visit={visit} shown={shown} />
          </div>
        </>
      ),
    }
  },
})

const problemTexts: Readonly<Record<StatementProblem, string>> = {
  stopped: 'Stopped',
  no_address: 'No e-mail address',
}

function Recipients({ visit, shown }: { visit: Visit; shown: ShownMonthlyStatements }) {
  const { recipients, isCut } = shown
  return (
    <section>
      <h2>Who gets the next one</h2>
      {recipients.length === 0 ? (
        <EmptyState title="No customer so far">
          Customers appear here once something is open or was posted in this month.
        </EmptyState>
      ) : (
        <Table<StatementRecipient>
          caption="Customers with something to tell"
          rows={recipients}
          keyOf={({ contactId }) => contactId}
          hrefOf={({ contactId }) => visit.href(`/contacts/${contactId}`)}
          columns={[
            { label: 'Customer', cell: ({ contactName }) => contactName },
            {
              label: 'Mail',
              cell: ({ problem, email }) =>
                problem ? <Badge tone="unsure">{problemTexts[problem]}</Badge> : email,
            },
          ]}
        />
      )}
      {isCut && <p class="quiet mt-2">There are more.</p>}
    </section>
  )
}

const setAction = defineAction({
  path: `${monthlyStatementsPath}/set`,
  operation: setMonthlyStatements,
  page: (visit) => visit.href(monthlyStatementsPath),
  input: (_visit, form) => ({ isOn: form.get('isOn') === 'yes' }),
  done: (visit, { isOn }) => ({
    location: visit.href(monthlyStatementsPath),
    message: isOn ? 'Monthly statements are on.' : 'Monthly statements are off.',
  }),
})

export const monthlyStatementPages = [...page, ...setAction]
