// The whole chart of accounts as one grid, to rename and renumber many accounts at once.
import type { ChartAccount } from '../../books/accounts/account.ts'
import { listChart } from '../../books/accounts/list-chart.ts'
import { updateAccounts } from '../../books/accounts/update-accounts.ts'
import { formPage } from '../components/form-page.tsx'
import { type Draft, defineForm } from '../shell/define-page.ts'
import { inWords } from './accounts-pages.tsx'

const path = '/accounts'

export const accountGridForm = defineForm({
  path: `${path}/grid`,
  operation: updateAccounts,
  input: (_visit, form) => ({
    accounts: idsOf(form).map((id) => ({
      id,
      code: (form.get(`code_${id}`) ?? '').trim(),
      name: (form.get(`name_${id}`) ?? '').trim(),
    })),
  }),
  async show(visit, plain) {
    const accounts = await visit.run(listChart, {})
    const draft = withRowProblems(plain)
    return formPage({
      title: 'Rename and renumber accounts',
      back: { href: visit.href(path), text: 'Accounts' },
      draft,
      submit: 'Save all',
      isWide: true,
      children: (
        <>
          <p class="quiet">
            Change as many as you like; two accounts can exchange their codes. Entries stay on their
            accounts. All changes are saved, or none.
          </p>
          <table class="data-table field-table">
            <caption class="visually-hidden">Chart of accounts</caption>
            <thead>
              <tr>
                <th scope="col">Code</th>
                <th scope="col">Name</th>
                <th scope="col">Kind</th>
              </tr>
            </thead>
            <tbody>
              {accounts.map((account) => (
                <GridRow key={account.id} draft={draft} account={account} />
              ))}
            </tbody>
          </table>
        </>
      ),
    })
  },
  done: (visit, { changed }) => ({
    location: visit.href(path),
    message: changed === 1 ? 'One account is changed.' : `${changed} accounts are changed.`,
  }),
})

// In the order of the form.
function idsOf(form: URLSearchParams): string[] {
  return [...form.keys()].flatMap((key) => /^code_(.+)$/.exec(key)?.[1] ?? [])
}

// The operation says `accounts: 3.code: …` about the fourth row.
function withRowProblems(draft: Draft): Draft {
  const { accounts, ...problems } = draft.problems
  if (accounts === undefined) return draft
  const ids = idsOf(draft.values)
  const parts = [...accounts.matchAll(/(\d+)\.(\w+): (.*?)(?= \d+\.\w+: |$)/gs)]
  const rows = parts.map(([, at = '0', field = '', message = '']) => [
    `${field === 'name' ? 'name' : 'code'}_${ids[Number.parseInt(at, 10)]}`,
    message,
  ])
  return { ...draft, problems: { ...problems, ...Object.fromEntries(rows) } }
}

function GridRow({ draft, account }: { draft: Draft; account: ChartAccount }) {
  const { id } = account
  const field = (kind: 'code' | 'name', label: string) => {
    const name = `${kind}_${id}`
    const problem = draft.problems[name]
    return (
      <>
        <input
          class={`form-control${problem ? ' is-invalid' : ''}`}
          id={name}
          name={name}
          value={draft.values.get(name) ?? account[kind]}
          aria-label={`${label} of ${account.code} ${account.name}`}
          autocomplete="off"
          {...(problem && { 'aria-invalid': true, 'aria-describedby': `${name}-error` })}
        />
        {problem && (
          <p class="field-error" id={`${name}-error`}>
            {problem}
          </p>
        )}
      </>
    )
  }
  return (
    <tr>
      <td data-label="Code" class="grid-code">
        {field('code', 'Code')}
      </td>
      <td data-label="Name">{field('name', 'Name')}</td>
      <td data-label="Kind">{inWords(account.subtype)}</td>
    </tr>
  )
}
