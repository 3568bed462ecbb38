// The passkeys of the person who is signed in.
import { addPasskey } from '../../kernel/account/add-passkey.ts'
import {
  getOwnAccount,
  type OwnAccount,
  type OwnPasskey,
} from '../../kernel/account/get-own-account.ts'
import { proposePasskey } from '../../kernel/account/propose-passkey.ts'
import { removePasskey } from '../../kernel/account/remove-passkey.ts'
import { renamePasskey } from '../../kernel/account/rename-passkey.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import { DraftText } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { Moment } from '../components/moment.tsx'
import { Table } from '../components/table.tsx'
import { type AppRoute, defineForm } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { accountPath } from './account-path.ts'

const path = `${accountPath}/passkeys`
const back = (visit: Visit) => ({ href: visit.href(accountPath), text: 'My account' })

export function Passkeys({ visit, account }: { visit: Visit; account: OwnAccount }) {
  const { passkeys, mayHavePasskeys, hasSecondFactor } = account
  if (!mayHavePasskeys || !hasSecondFactor) return null
  return (
    <section>
      <div class="section-head">
        <h2>Passkeys</h2>
        <a class="btn" href={visit.href(`${path}/new`)}>
          Add a passkey
        </a>
      </div>
      {passkeys.length === 0 ? (
        <p class="quiet">
          With a passkey you sign in by fingerprint, face or the PIN of your device, without
          password and code.
        </p>
      ) : (
        <PasskeyTable visit={visit} passkeys={passkeys} />
      )}
    </section>
  )
}

function PasskeyTable({ visit, passkeys }: { visit: Visit; passkeys: readonly OwnPasskey[] }) {
  return (
    <Table
      caption="Your passkeys"
      rows={passkeys}
      keyOf={({ id }) => id}
      columns={[
        { label: 'Name', cell: ({ name }) => <strong>{name}</strong> },
        { label: 'Added', cell: ({ createdAt }) => <Moment at={createdAt} zone={visit.zone} /> },
        {
          label: 'Last use',
          cell: ({ lastUsedAt }) =>
            lastUsedAt ? <Moment at={lastUsedAt} zone={visit.zone} /> : 'Never',
        },
        {
          label: 'Actions',
          cell: ({ id }) => (
            <span class="item-actions">
              <a href={visit.href(`${path}/${id}/name`)}>Rename</a>
              <a href={visit.href(`${path}/${id}/remove`)}>Remove</a>
            </span>
          ),
        },
      ]}
    />
  )
}

async function findOwn(visit: Visit): Promise<OwnPasskey> {
  const { passkeys } = await visit.run(getOwnAccount, {})
  const found = passkeys.find(({ id }) => id === visit.param('id'))
  if (!found) throw notFound('passkey')
  return found
}

const addForm = defineForm({
  path: `${path}/new`,
  operation: addPasskey,
  isSensitive: true,
  input: (_visit, form) => ({
    name: form.get('name') ?? '',
    challenge: form.get('challenge') ?? '',
    response: form.get('response') ?? '',
  }),
  async show(visit, draft) {
    const { options, challenge } = await visit.run(proposePasskey, {})
    return formPage({
      title: 'Add a passkey',
      back: back(visit),
      draft,
      submit: 'Add passkey',
      showsSecret: true,
      children: (
        <>
          <p>
            Your browser asks for your fingerprint, face or PIN and keeps the passkey. You need
            JavaScript for this.
          </p>
          <DraftText
            draft={draft}
            name="name"
            label="Name"
            hint="The device or app that keeps it, for example “Work laptop”."
            initial="My device"
          />
          <input type="hidden" name="challenge" value={challenge} data-passkey-new={options} />
          <input type="hidden" name="response" value="" data-passkey-response />
          <p class="field-error" role="alert" data-passkey-status hidden />
        </>
      ),
    })
  },
  done: (visit, { name }) => ({
    location: visit.href(accountPath),
    message: `The passkey ${name} is added.`,
  }),
})

const renameForm = defineForm({
  path: `${path}/:id/name`,
  operation: renamePasskey,
  input: (visit, form) => ({ id: visit.param('id'), name: form.get('name') ?? '' }),
  async show(visit, draft) {
    const { name } = await findOwn(visit)
    return formPage({
      title: 'Rename passkey',
      back: back(visit),
      draft,
      submit: 'Rename',
      children: <DraftText draft={draft} name="name" label="Name" initial={name} />,
    })
  },
  done: (visit) => ({ location: visit.href(accountPath), message: 'The passkey is renamed.' }),
})

const removeForm = defineForm({
  path: `${path}/:id/remove`,
  operation: removePasskey,
  isSensitive: true,
  input: (visit) => ({ id: visit.param('id') }),
  async show(visit, draft) {
    const { name } = await findOwn(visit)
    return formPage({
      title: `Remove ${name}`,
      back: back(visit),
      draft,
      submit: 'Remove passkey',
      isDangerous: true,
      children: <p>It no longer signs you in. Delete it on your device as well.</p>,
    })
  },
  done: (visit, { name }) => ({
    location: visit.href(accountPath),
    message: `The passkey ${name} is removed.`,
  }),
})

export const passkeyForms: AppRoute[] = [...addForm, ...renameForm, ...removeForm]
