// The chart of accounts: every account with its type; adding, renaming, renumbering, retiring.
import { accountSubtypes, accountTypes, type ChartAccount } from '../../books/accounts/account.ts'
import { createAccount } from '../../books/accounts/create-account.ts'
import { listChart } from '../../books/accounts/list-chart.ts'
import { updateAccount } from '../../books/accounts/update-account.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import { Badge } from '../../kernel/web/components.tsx'
import { DraftSelect, DraftText } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Table } from '../components/table.tsx'
import { type Draft, defineForm, definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'

const path = '/accounts'
const back = (visit: Visit) => ({ href: visit.href(path), text: 'Accounts' })

const listPage = definePage({
  path,
  operation: listChart,
  async show(visit) {
    const accounts = await visit.run(listChart, {})
    const mayChange = visit.may(updateAccount)
    return {
      title: 'Accounts',
      content: (
        <>
          <PageHeader
            title="Accounts"
            lead="The chart of accounts. Everything in the books is posted to these."
            actions={
              visit.may(createAccount) && (
                <>
                  <a class="btn" href={visit.href(`${path}/grid`)}>
                    Rename and renumber
                  </a>
                  <a class="btn btn-primary" href={visit.href(`${path}/new`)}>
                    New account
                  </a>
                </>
              )
            }
          />
          <Table
            caption="Accounts"
            rows={accounts}
            keyOf={({ id }) => id}
            hrefOf={({ id }) => visit.href(`/reports/general-ledger/${id}`)}
            columns={[
              { label: 'Account', cell: ({ code, name }) => `${code} ${name}` },
              { label: 'Type', cell: ({ type }) => inWords(type) },
              { label: 'Kind', cell: ({ subtype }) => inWords(subtype) },
              {
                label: 'Note',
                cell: ({ isSystem, active, currency }) =>
                  (isSystem || !active || currency) && (
                    <span class="chips">
                      {currency && <Badge tone="plain">{currency}</Badge>}
                      {isSystem && <Badge tone="plain">Used by the books</Badge>}
                      {!active && <Badge tone="unsure">Inactive</Badge>}
                    </span>
                  ),
              },
              {
                label: 'Actions',
                cell: ({ id, name }) =>
                  mayChange && (
                    <a href={visit.href(`${path}/${id}/edit`)}>
                      Change <span class="visually-hidden">{name}</span>
                    </a>
                  ),
              },
            ]}
          />
        </>
      ),
    }
  },
})

const createForm = defineForm({
  path: `${path}/new`,
  operation: createAccount,
  input: (_visit, form) => fieldsOf(form),
  show: async (visit, draft) =>
    formPage({
      title: 'New account',
      back: back(visit),
      draft,
      submit: 'Add account',
      children: <AccountFields draft={draft} />,
    }),
  done: (visit, { code, name }) => ({
    location: visit.href(path),
    message: `${code} ${name} is added.`,
  }),
})

const editForm = defineForm({
  path: `${path}/:id/edit`,
  operation: updateAccount,
  input: (visit, form) => ({
    ...fieldsOf(form),
    id: visit.param('id'),
    active: form.get('active') !== 'no',
  }),
  async show(visit, draft) {
    const accounts = await visit.run(listChart, {})
    const account = accounts.find(({ id }) => id === visit.param('id'))
    if (!account) throw notFound('account')
    return formPage({
      title: `Change ${account.code} ${account.name}`,
      back: back(visit),
      draft,
      submit: 'Save',
      children: (
        <>
          <AccountFields draft={draft} account={account} />
          <DraftSelect
            draft={draft}
            name="active"
            label="In use"
            hint="An account that is not in use is not offered for new lines. Its entries stay."
            initial={account.active ? 'yes' : 'no'}
            choices={{ yes: 'Yes', no: 'No' }}
          />
        </>
      ),
    })
  },
  done: (visit, { code, name }) => ({
    location: visit.href(path),
    message: `${code} ${name} is changed.`,
  }),
})

export const accountsPages = [...listPage, ...createForm, ...editForm]

function fieldsOf(form: URLSearchParams) {
  const text = (name: string) => form.get(name)?.trim() ?? ''
  return {
    code: text('code'),
    name: text('name'),
    // The operation refuses what is not one of them, and names the field.
    type: text('type') as ChartAccount['type'],
    subtype: text('subtype') as ChartAccount['subtype'],
    currency: text('currency').toUpperCase() || null,
  }
}

function AccountFields({ draft, account }: { draft: Draft; account?: ChartAccount }) {
  return (
    <>
      <DraftText
        draft={draft}
        name="code"
        label="Code"
        hint="Accounts are sorted by it."
        initial={account?.code ?? ''}
      />
      <DraftText draft={draft} name="name" label="Name" initial={account?.name ?? ''} />
      <DraftSelect
        draft={draft}
        name="type"
        label="Type"
        initial={account?.type ?? ''}
        choices={choicesOf(accountTypes)}
      />
      <DraftSelect
        draft={draft}
        name="subtype"
        label="Kind"
        hint="Decides where the account stands in the reports."
        initial={account?.subtype ?? ''}
        choices={choicesOf(accountSubtypes)}
      />
      <DraftText
        draft={draft}
        name="currency"
        label="Currency (optional)"
        hint="For bank accounts and credit cards in another currency than your books."
        initial={account?.currency ?? ''}
        isOptional
      />
    </>
  )
}

function choicesOf(keys: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(keys.map((key) => [key, inWords(key)]))
}

export function inWords(key: string): string {
  const text = key.replaceAll('_', ' ').replace(/^fx /, 'exchange ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
