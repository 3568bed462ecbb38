// My account: who I am, how I sign in, and where I am signed in.
import { getOwnAccount, type OwnAccount } from '../../kernel/account/get-own-account.ts'
import { listOwnSessions, type OwnSession } from '../../kernel/account/list-own-sessions.ts'
import { Badge, Card } from '../../kernel/web/components.tsx'
import { ActionButton } from '../components/app-form.tsx'
import { Facts } from '../components/facts.tsx'
import { Moment } from '../components/moment.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Table } from '../components/table.tsx'
import { definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { accountPath } from './account-path.ts'
import { deviceName } from './device-name.ts'
import { Passkeys } from './passkey-forms.tsx'

export const accountPages = definePage({
  path: accountPath,
  operation: getOwnAccount,
  async show(visit) {
    const [account, sessions] = await Promise.all([
      visit.run(getOwnAccount, {}),
      visit.run(listOwnSessions, {}),
    ])
    return {
      title: 'My account',
      content: (
        <>
          <PageHeader
            title="My account"
            lead="The same account opens all businesses that you work for."
          />
          <div class="stack">
            <Profile visit={visit} account={account} />
            <SecondFactor visit={visit} account={account} />
            <Passkeys visit={visit} account={account} />
            <Sessions visit={visit} sessions={sessions} />
          </div>
        </>
      ),
    }
  },
})

type AccountProps = { visit: Visit; account: OwnAccount }

function Profile({ visit, account: { name, email, newEmail } }: AccountProps) {
  return (
    <Card title="Profile">
      <Facts
        facts={[
          ['Name', <Changeable visit={visit} value={name} verb="name" of="name" />],
          ['E-mail', <Changeable visit={visit} value={email} verb="email" of="e-mail" />],
          newEmail !== null && [
            'New e-mail',
            <>
              {newEmail} <Badge tone="unsure">Not confirmed yet</Badge>
            </>,
          ],
          [
            'Password',
            <Changeable visit={visit} value="••••••••••••" verb="password" of="password" />,
          ],
        ]}
      />
    </Card>
  )
}

type ChangeableProps = { visit: Visit; value: string; verb: string; of: string }

function Changeable({ visit, value, verb, of }: ChangeableProps) {
  return (
    <span class="changeable">
      <span class="text-break">{value}</span>
      <a href={visit.href(`${accountPath}/${verb}`)}>
        Change<span class="visually-hidden"> {of}</span>
      </a>
    </span>
  )
}

function SecondFactor({ visit, account }: AccountProps) {
  const { hasSecondFactor, backupCodesLeft } = account
  return (
    <Card title="Authenticator app">
      {hasSecondFactor ? (
        <Facts
          facts={[
            ['Status', <Badge tone="good">On</Badge>],
            ['Backup codes', `${backupCodesLeft} left`],
          ]}
        />
      ) : (
        <p>
          With an app, signing in needs a code besides the password. Your password alone opens
          nothing.
        </p>
      )}
      {hasSecondFactor && backupCodesLeft <= 2 && (
        <p class="note note-unsure">
          Few backup codes are left. Make new ones before you need one.
        </p>
      )}
      <p class="actions mt-3 mb-0">
        <Button
          visit={visit}
          verb="authenticator"
          text={hasSecondFactor ? 'Replace app' : 'Set up app'}
        />
        {hasSecondFactor && <Button visit={visit} verb="backup-codes" text="New backup codes" />}
      </p>
    </Card>
  )
}

function Button({ visit, verb, text }: { visit: Visit; verb: string; text: string }) {
  return (
    <a class="btn" href={visit.href(`${accountPath}/${verb}`)}>
      {text}
    </a>
  )
}

function Sessions({ visit, sessions }: { visit: Visit; sessions: readonly OwnSession[] }) {
  const isCurrent = ({ sessionId }: OwnSession) => sessionId === visit.session.sessionId
  const token = () => visit.context.ids.uuid()
  return (
    <section>
      <div class="section-head">
        <h2>Sessions</h2>
        {sessions.length > 1 && (
          <ActionButton
            action={visit.href(`${accountPath}/sessions/end-others`)}
            token={token()}
            label="End all others"
          />
        )}
      </div>
      <Table
        caption="Where you are signed in"
        rows={sessions}
        keyOf={({ sessionId }) => sessionId}
        columns={[
          {
            label: 'Device',
            cell: (session) => (
              <span>
                <strong>{deviceName(session.userAgent)}</strong>{' '}
                {isCurrent(session) && <Badge tone="good">This session</Badge>}
              </span>
            ),
          },
          { label: 'Address', cell: ({ address }) => address ?? 'Unknown' },
          {
            label: 'Signed in',
            cell: ({ createdAt }) => <Moment at={createdAt} zone={visit.zone} />,
          },
          {
            label: 'Last use',
            cell: (session) =>
              isCurrent(session) ? 'Now' : <Moment at={session.lastSeenAt} zone={visit.zone} />,
          },
          {
            label: 'Actions',
            cell: (session) =>
              isCurrent(session) ? (
                <span class="quiet">Sign out in the menu</span>
              ) : (
                <ActionButton
                  action={visit.href(`${accountPath}/sessions/${session.sessionId}/end`)}
                  token={token()}
                  label="End"
                />
              ),
          },
        ]}
      />
    </section>
  )
}
