// The lines of a manual journal as a table to fill in. A line from a template may name a currency,
// a contact or a tax code, which the form keeps and shows.
import type { JournalTemplate } from '../../books/recurring/recurring-template.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import { readTypedAmount, typedAmount } from '../components/amount-field.ts'
import type { Draft } from '../shell/define-page.ts'
import { AmountCell, RowError } from './amount-cell.tsx'

const rowsMin = 12
const rowFields = ['account', 'text', 'debit', 'credit'] as const
const keptFields = ['currency', 'rate', 'base', 'contact', 'tax'] as const

function rowsOf(values: URLSearchParams): number[] {
  let count = rowsMin
  while (values.has(`account_${count + 1}`)) count += 1
  return Array.from({ length: count }, (_, index) => index + 1)
}

// Empty rows are left out.
function usedRows(form: URLSearchParams): number[] {
  const isFilled = (name: string) => (form.get(name) ?? '').trim() !== ''
  const used = rowsOf(form).filter((row) => rowFields.some((field) => isFilled(`${field}_${row}`)))
  const unnamed = used.map((row) => `account_${row}`).filter((name) => !isFilled(name))
  if (unnamed.length > 0) {
    const fieldErrors = Object.fromEntries(unnamed.map((name) => [name, ['Choose an account.']]))
    throw new Fault('invalid_request', { formErrors: [], fieldErrors })
  }
  return used
}

export function readJournal(form: URLSearchParams, baseCurrency: string) {
  const kept = (name: string, row: number) => form.get(`${name}_${row}`) || undefined
  const lineOf = (row: number) => {
    const currency = kept('currency', row)
    const amount = (side: 'debit' | 'credit') => {
      const field = `${side}_${row}`
      if (!form.get(field)?.trim()) return {}
      const used = currency ?? baseCurrency
      return { [side]: typedAmount(readTypedAmount(form, field, used), used) }
    }
    return {
      accountId: form.get(`account_${row}`) ?? '',
      description: form.get(`text_${row}`) ?? '',
      ...amount('debit'),
      ...amount('credit'),
      currency,
      rate: kept('rate', row),
      baseAmount: kept('base', row),
      contactId: kept('contact', row),
      taxCodeId: kept('tax', row),
    }
  }
  return { description: form.get('description') ?? '', lines: usedRows(form).map(lineOf) }
}

// The fields of a form that shows the journal.
export function journalValues({ description, lines }: JournalTemplate): URLSearchParams {
  const values = new URLSearchParams({ description })
  for (const [index, line] of lines.entries()) {
    const fields = {
      account: line.accountId,
      text: line.description,
      debit: line.debit,
      credit: line.credit,
      currency: line.currency,
      rate: line.rate,
      base: line.baseAmount,
      contact: line.contactId,
      tax: line.taxCodeId,
    }
    for (const [name, value] of Object.entries(fields)) {
      if (value !== undefined) values.set(`${name}_${index + 1}`, value)
    }
  }
  return values
}

type LinesProps = {
  draft: Draft
  accounts: readonly { readonly id: string; readonly code: string; readonly name: string }[]
}

export function JournalLines({ draft, accounts }: LinesProps) {
  const value = (name: string) => draft.values.get(name) ?? ''
  const problem = (name: string, looks: string) =>
    draft.problems[name]
      ? ({
          'aria-invalid': 'true',
          'aria-describedby': `${name}-error`,
          class: `${looks} is-invalid`,
        } as const)
      : { class: looks }
  return (
    <div class="table-card mb-3" id="lines">
      <table class="data-table journal-lines">
        <caption class="visually-hidden">Lines of the journal</caption>
        <thead>
          <tr>
            <th scope="col">Account</th>
            <th scope="col">Text</th>
            <th scope="col" class="number">
              Debit
            </th>
            <th scope="col" class="number">
              Credit
            </th>
          </tr>
        </thead>
        <tbody>
          {rowsOf(draft.values).map((row) => (
            <tr key={row}>
              <td data-label="Account">
                <select
                  {...problem(`account_${row}`, 'form-select')}
                  id={`account_${row}`}
                  name={`account_${row}`}
                  aria-label={`Account ${row}`}
                >
                  <option value="" />
                  {accounts.map(({ id, code, name }) => (
                    <option key={id} value={id} selected={id === value(`account_${row}`)}>
                      {code} {name}
                    </option>
                  ))}
                </select>
                <RowError draft={draft} name={`account_${row}`} />
              </td>
              <td data-label="Text">
                <input
                  class="form-control"
                  name={`text_${row}`}
                  aria-label={`Text ${row}`}
                  value={value(`text_${row}`)}
                  maxLength={500}
                />
                <Kept value={value} row={row} />
              </td>
              {(['debit', 'credit'] as const).map((side) => (
                <AmountCell key={side} draft={draft} side={side} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Kept({ value, row }: { value: (name: string) => string; row: number }) {
  const kept = keptFields.filter((name) => value(`${name}_${row}`) !== '')
  if (kept.length === 0) return null
  const [currency, base] = [value(`currency_${row}`), value(`base_${row}`)]
  return (
    <>
      {kept.map((name) => (
        <input key={name} type="hidden" name={`${name}_${row}`} value={value(`${name}_${row}`)} />
      ))}
      <p class="form-hint">
        {currency && `In ${currency}${base && `, worth ${base} in the base currency`}. `}
        {value(`contact_${row}`) && 'With its contact. '}
        {value(`tax_${row}`) && 'With its tax code.'}
      </p>
    </>
  )
}
