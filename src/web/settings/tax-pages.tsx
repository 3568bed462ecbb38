// Taxes: what each code charges, in components, and where it is posted. Rates never change, since
// documents were made with them; another rate is another code.

import type { ChartAccount } from '../../books/accounts/account.ts'
import { listChart } from '../../books/accounts/list-chart.ts'
import { createTaxCode } from '../../books/taxes/create-tax-code.ts'
import { effectiveRates } from '../../books/taxes/effective-rates.ts'
import { listTaxCodes } from '../../books/taxes/list-tax-codes.ts'
import { componentAccounts, type TaxCode } from '../../books/taxes/tax-code.ts'
import { taxLabel } from '../../books/taxes/tax-label.ts'
import { updateTaxCode } from '../../books/taxes/update-tax-code.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import { add, toText, zeroDecimal } from '../../kernel/money/decimal.ts'
import { Badge } from '../../kernel/web/components.tsx'
import { DraftSelect, DraftText } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { EmptyState, Table } from '../components/table.tsx'
import { defineForm, definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import {
  ComponentAccounts,
  ComponentRows,
  readComponents,
  rowsOf,
  withRowProblems,
} from './tax-components.tsx'

const path = '/settings/taxes'
const back = (visit: Visit) => ({ href: visit.href(path), text: 'Taxes' })

const listPage = definePage({
  path,
  operation: listTaxCodes,
  async show(visit) {
    const [codes, accounts] = await Promise.all([
      visit.run(listTaxCodes, {}),
      visit.run(listChart, {}),
    ])
    const names = new Map(accounts.map(({ id, code, name }) => [id, `${code} ${name}`]))
    const newLink = visit.may(createTaxCode) && (
      <a class="btn btn-primary" href={visit.href(`${path}/new`)}>
        New tax
      </a>
    )
    return {
      title: 'Taxes',
      content: (
        <>
          <PageHeader
            back={{ href: visit.href('/settings'), text: 'Settings' }}
            title="Taxes"
            lead="What can be charged on a line, and the account that it is posted to."
            actions={newLink}
          />
          {codes.length === 0 ? (
            <EmptyState title="No taxes yet" action={newLink}>
              Add the taxes that you charge or pay. You can then choose one on every line of an
              invoice or bill.
            </EmptyState>
          ) : (
            <TaxTable visit={visit} codes={codes} names={names} />
          )}
        </>
      ),
    }
  },
})

type TableProps = {
  visit: Visit
  codes: readonly TaxCode[]
  names: ReadonlyMap<string, string>
}

function TaxTable({ visit, codes, names }: TableProps) {
  const accountsOf = (code: TaxCode) => [
    ...new Set(componentAccounts(code).map((id) => names.get(id) ?? '')),
  ]
  return (
    <Table
      caption="Taxes"
      rows={[...codes].sort((one, other) => Number(other.active) - Number(one.active))}
      keyOf={({ id }) => id}
      {...(visit.may(updateTaxCode) && {
        hrefOf: ({ id }: TaxCode) => visit.href(`${path}/${id}/edit`),
      })}
      columns={[
        { label: 'Tax', cell: ({ name }) => name },
        { label: 'Rate', isNumber: true, cell: (code) => `${totalRate(code)} %` },
        { label: 'Components', cell: (code) => <Components {...code} /> },
        { label: 'Prices', cell: (code) => (code.isInclusive ? 'Include it' : 'Plus tax') },
        { label: 'Posted to', cell: (code) => accountsOf(code).join(', ') },
        {
          label: 'In use',
          cell: ({ active }) => (active ? 'Yes' : <Badge tone="unsure">Archived</Badge>),
        },
      ]}
    />
  )
}

function Components({ components }: Pick<TaxCode, 'components'>) {
  return (
    <>
      {components.map(({ name, rate, isCompound }, index) => (
        <span key={index} class="d-block">
          {taxLabel(name, rate)}
          {isCompound && <span class="quiet"> on net and taxes before it</span>}
        </span>
      ))}
    </>
  )
}

function totalRate({ components }: Pick<TaxCode, 'components'>): string {
  return toText(effectiveRates(components).reduce(add, zeroDecimal))
}

const createForm = defineForm({
  path: `${path}/new`,
  operation: createTaxCode,
  input: (_visit, form) => ({
    name: form.get('name') ?? '',
    isInclusive: form.get('isInclusive') === 'yes',
    ...(form.get('accountId') && { accountId: form.get('accountId') ?? '' }),
    components: readComponents(form),
  }),
  async show(visit, plain) {
    const choices = accountChoices(await visit.run(listChart, {}))
    const draft = withRowProblems(plain)
    return formPage({
      title: 'New tax',
      back: back(visit),
      draft,
      submit: 'Add tax',
      children: (
        <>
          <DraftText
            draft={draft}
            name="name"
            label="Name"
            hint="As it stands on invoices, for example VAT 7.5 %."
          />
          <DraftSelect
            draft={draft}
            name="isInclusive"
            label="Prices"
            initial="no"
            choices={{ no: 'Tax comes on top of the price', yes: 'The price includes the tax' }}
          />
          <DraftSelect
            draft={draft}
            name="accountId"
            label="Posted to"
            initial={Object.keys(choices)[0] ?? ''}
            choices={choices}
          />
          <ComponentRows draft={draft} rows={rowsOf(draft)} accounts={choices} />
        </>
      ),
    })
  },
  done: (visit, { name }) => ({ location: visit.href(path), message: `${name} is added.` }),
})

const editForm = defineForm({
  path: `${path}/:id/edit`,
  operation: updateTaxCode,
  async input(visit, form) {
    const { components } = await codeOf(visit)
    return {
      id: visit.param('id'),
      name: form.get('name') ?? '',
      accountId: form.get('accountId') ?? '',
      componentAccountIds: components.map((_, index) => form.get(`account_${index}`) || null),
      active: form.get('active') !== 'no',
    }
  },
  async show(visit, draft) {
    const [code, accounts] = await Promise.all([codeOf(visit), visit.run(listChart, {})])
    const choices = accountChoices(accounts, code)
    return formPage({
      title: `Change ${code.name}`,
      back: back(visit),
      draft,
      submit: 'Save',
      children: (
        <>
          <p class="quiet">
            Rates stay as they are, because documents were made with them. For another rate, archive
            this tax and add a new one.
          </p>
          <DraftText draft={draft} name="name" label="Name" initial={code.name} />
          <DraftSelect
            draft={draft}
            name="accountId"
            label="Posted to"
            initial={code.accountId}
            choices={choices}
          />
          <ComponentAccounts draft={draft} code={code} accounts={choices} />
          <DraftSelect
            draft={draft}
            name="active"
            label="In use"
            hint="An archived tax is not offered for new lines. Documents keep it."
            initial={code.active ? 'yes' : 'no'}
            choices={{ yes: 'Yes', no: 'No, archive it' }}
          />
        </>
      ),
    })
  },
  done: (visit, { name, active }) => ({
    location: visit.href(path),
    message: active ? `${name} is saved.` : `${name} is archived.`,
  }),
})

export const taxPages = [...listPage, ...createForm, ...editForm]

async function codeOf(visit: Visit): Promise<TaxCode> {
  const code = (await visit.run(listTaxCodes, {})).find(({ id }) => id === visit.param('id'))
  if (!code) throw notFound('tax code')
  return code
}

// Where tax can be posted: tax accounts first, since people mean them nearly always.
function accountChoices(accounts: readonly ChartAccount[], code?: TaxCode): Record<string, string> {
  const used = code ? [code.accountId, ...componentAccounts(code)] : []
  const offered = accounts.filter(
    ({ id, active, type, subtype }) =>
      used.includes(id) || (active && (subtype === 'tax' || type !== 'income')),
  )
  const taxFirst = [...offered].sort(
    (one, other) => Number(other.subtype === 'tax') - Number(one.subtype === 'tax'),
  )
  return Object.fromEntries(taxFirst.map(({ id, code: number, name }) => [id, `${number} ${name}`]))
}
