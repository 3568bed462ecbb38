// The components of a tax in its form: five rows, of which empty ones are left out. Most taxes have
// one, so the others are folded away.
import type { TaxCode } from '../../books/taxes/tax-code.ts'
import { DraftSelect, DraftText } from '../components/draft-fields.tsx'
import type { Draft } from '../shell/define-page.ts'

const rowsMax = 5

type Choices = Readonly<Record<string, string>>

export type ComponentRow = {
  readonly index: number
  readonly name: string
  readonly rate: string
  readonly isCompound: boolean
  readonly accountId: string
}

export function rowsOf({ values }: Pick<Draft, 'values'>): ComponentRow[] {
  return Array.from({ length: rowsMax }, (_, index) => ({
    index,
    name: values.get(`component_${index}`) ?? '',
    rate: values.get(`rate_${index}`) ?? '',
    isCompound: values.has(`compound_${index}`),
    accountId: values.get(`account_${index}`) ?? '',
  }))
}

function isFilled({ name, rate, accountId }: ComponentRow): boolean {
  return [name, rate, accountId].some((text) => text.trim() !== '')
}

// A component without a name has that of the tax.
export function readComponents(values: URLSearchParams) {
  return rowsOf({ values })
    .filter(isFilled)
    .map(({ name, rate, isCompound, accountId }) => ({
      name: name.trim() || (values.get('name') ?? ''),
      rate: rate.replace('%', '').replace(',', '.').trim(),
      isCompound,
      ...(accountId && { accountId }),
    }))
}

const fieldNames: Readonly<Record<string, string>> = {
  name: 'component',
  rate: 'rate',
  accountId: 'account',
}

// The operation says `components: 1.rate: Must be a number …` about the second filled row.
export function withRowProblems(draft: Draft): Draft {
  const { components, ...problems } = draft.problems
  if (components === undefined) return draft
  const filled = rowsOf(draft).filter(isFilled)
  const parts = [...components.matchAll(/(\d+)\.(\w+): (.*?)(?= \d+\.\w+: |$)/gs)]
  const byField = parts.map(([, at = '0', field = '', message = '']) => {
    const row = filled[Number.parseInt(at, 10)]?.index ?? 0
    return [`${fieldNames[field] ?? 'component'}_${row}`, message] as const
  })
  const whole = filled.length === 0 ? { rate_0: 'Enter a rate.' } : { component_0: components }
  const own = byField.length > 0 ? Object.fromEntries(byField) : whole
  return { ...draft, problems: { ...problems, ...own } }
}

type RowsProps = { draft: Draft; rows: readonly ComponentRow[]; accounts: Choices }

export function ComponentRows({ draft, rows, accounts }: RowsProps) {
  const isMany = rows.some((row) => isFilled(row.index === 0 ? { ...row, rate: '' } : row))
  return (
    <>
      <DraftText
        draft={draft}
        name="rate_0"
        label="Rate in %"
        hint="A negative rate is withheld: the customer pays it to the tax office instead of you."
        inputMode="decimal"
      />
      <details class="mb-3" open={isMany || hasRowProblem(draft)}>
        <summary>More components, or an account for each</summary>
        <p class="form-hint">
          For taxes that are charged or reported in parts. A withheld component needs its own
          account.
        </p>
        <table class="data-table">
          <caption class="visually-hidden">Components of the tax</caption>
          <thead>
            <tr>
              <th scope="col">Name (optional)</th>
              <th scope="col">Rate in %</th>
              <th scope="col">On taxes before it too</th>
              <th scope="col">Account (optional)</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <ComponentFields key={row.index} draft={draft} row={row} accounts={accounts} />
            ))}
          </tbody>
        </table>
      </details>
    </>
  )
}

function hasRowProblem({ problems }: Draft): boolean {
  return Object.keys(problems).some((name) => /^(component|account)_\d/.test(name))
}

type FieldsProps = { draft: Draft; row: ComponentRow; accounts: Choices }

function ComponentFields({ draft, row, accounts }: FieldsProps) {
  const place = row.index + 1
  const text = (field: 'component' | 'rate', label: string, value: string) => {
    const name = `${field}_${row.index}`
    return (
      <>
        <input
          class={`form-control${draft.problems[name] ? ' is-invalid' : ''}`}
          id={name}
          name={name}
          aria-label={`${label} ${place}`}
          value={value}
          autocomplete="off"
          {...(field === 'rate' && { inputMode: 'decimal' as const })}
          {...described(draft, name)}
        />
        <FieldProblem draft={draft} name={name} />
      </>
    )
  }
  const account = `account_${row.index}`
  return (
    <tr>
      <td data-label="Name (optional)">{text('component', 'Name of component', row.name)}</td>
      <td data-label="Rate in %">
        {row.index === 0 ? (
          <span class="quiet">As above</span>
        ) : (
          text('rate', 'Rate of component', row.rate)
        )}
      </td>
      <td data-label="On taxes before it too">
        {row.index > 0 && (
          <input
            class="form-check-input"
            type="checkbox"
            name={`compound_${row.index}`}
            aria-label={`Component ${place} is charged on taxes before it too`}
            checked={row.isCompound}
          />
        )}
      </td>
      <td data-label="Account (optional)">
        <select
          class={`form-select${draft.problems[account] ? ' is-invalid' : ''}`}
          id={account}
          name={account}
          aria-label={`Account of component ${place}`}
          {...described(draft, account)}
        >
          <option value="">As above</option>
          {Object.entries(accounts).map(([id, label]) => (
            <option key={id} value={id} selected={id === row.accountId}>
              {label}
            </option>
          ))}
        </select>
        <FieldProblem draft={draft} name={account} />
      </td>
    </tr>
  )
}

function described({ problems }: Draft, name: string) {
  return problems[name] ? { 'aria-invalid': true, 'aria-describedby': `${name}-error` } : {}
}

function FieldProblem({ draft, name }: { draft: Draft; name: string }) {
  const problem = draft.problems[name]
  if (!problem) return null
  return (
    <p class="field-error" id={`${name}-error`}>
      {problem}
    </p>
  )
}

type AccountsProps = { draft: Draft; code: TaxCode; accounts: Choices }

export function ComponentAccounts({ draft, code, accounts }: AccountsProps) {
  const problem = draft.problems.componentAccountIds
  return (
    <>
      {code.components.map(({ name, rate, accountId }, index) => (
        <DraftSelect
          key={index}
          draft={problem ? { ...draft, problems: { [`account_${index}`]: problem } } : draft}
          name={`account_${index}`}
          label={`Account of ${name} ${rate} % (optional)`}
          hint="Only if it differs from the account above."
          initial={accountId ?? ''}
          choices={accounts}
          isOptional
        />
      ))}
    </>
  )
}
