// The items of a new link in its form. Empty rows are left out.
import { Fault } from '../../kernel/basics/fault.ts'
import { readTypedAmount } from '../components/amount-field.ts'
import type { Draft } from '../shell/define-page.ts'
import { readCount } from './link-item-form.tsx'

const rows = Array.from({ length: 8 }, (_, index) => index + 1)

const fields = [
  ['item', 'What'],
  ['price', 'Price of one'],
  ['quantity', 'Quantity'],
  ['most', 'Up to (optional)'],
  ['stock', 'Stock (optional)'],
] as const

type Field = (typeof fields)[number][0]

const nameOf = (field: Field, row: number) => `${field}_${row}`

function isFilled(values: URLSearchParams, row: number): boolean {
  return fields.some(([field]) => (values.get(nameOf(field, row)) ?? '').trim() !== '')
}

// All rows are read before anything is said, so that every problem is shown at once.
export function readItems(form: URLSearchParams, currency: string) {
  const problems: Record<string, string[]> = {}
  const read = <T,>(work: () => T): T | undefined => {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof Fault) || typeof error.error === 'string') throw error
      Object.assign(problems, error.error.fieldErrors)
      return undefined
    }
  }
  const items = rows
    .filter((row) => isFilled(form, row))
    .map((row) => {
      const count = (field: Field) => read(() => readCount(form, nameOf(field, row)))
      const name = (form.get(nameOf('item', row)) ?? '').trim()
      if (name === '') problems[nameOf('item', row)] = ['Say what it is.']
      const least = count('quantity') ?? 1
      const most = count('most') ?? least
      if (most < 1) problems[nameOf('quantity', row)] = ['Enter at least one, or up to how many.']
      if (most < least) problems[nameOf('most', row)] = ['Must be at least the quantity.']
      return {
        name,
        amountMinor: read(() => readTypedAmount(form, nameOf('price', row), currency)),
        minQuantity: least,
        maxQuantity: most,
        stock: count('stock') ?? null,
      }
    })
  if (items.length === 0) problems[nameOf('item', 1)] = ['Enter at least one item.']
  if (Object.keys(problems).length > 0) {
    throw new Fault('invalid_request', { formErrors: [], fieldErrors: problems })
  }
  return items
}

const operationFields: Readonly<Record<string, Field>> = {
  name: 'item',
  amountMinor: 'price',
  amount: 'price',
  minQuantity: 'quantity',
  maxQuantity: 'most',
  stock: 'stock',
}

// The operation says `items: 1.amountMinor: Must be …` about the second filled row.
export function withItemProblems(draft: Draft): Draft {
  const { items, ...problems } = draft.problems
  if (items === undefined) return draft
  const filled = rows.filter((row) => isFilled(draft.values, row))
  const parts = [...items.matchAll(/(\d+)\.(\w+): (.*?)(?= \d+\.\w+: |$)/gs)]
  const byField = parts.map(([, at = '0', field = '', message = '']) => {
    const row = filled[Number.parseInt(at, 10)] ?? 1
    return [nameOf(operationFields[field] ?? 'item', row), message] as const
  })
  const own = byField.length > 0 ? Object.fromEntries(byField) : { [nameOf('item', 1)]: items }
  return { ...draft, problems: { ...problems, ...own } }
}

export function ItemRows({ draft }: { draft: Draft }) {
  const isUsed = rows.some((row) => isFilled(draft.values, row))
  return (
    <details class="mb-3" open={isUsed || draft.values.get('kind') === 'items'}>
      <summary>Items with quantities</summary>
      <p class="form-hint">
        Choose “For the items below” as the amount. With “Up to”, payers choose how many they take,
        from the quantity on; 0 makes an item optional. The stock is for all payers together.
      </p>
      <table class="data-table item-rows">
        <caption class="visually-hidden">Items</caption>
        <thead>
          <tr>
            {fields.map(([field, label]) => (
              <th key={field} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row}>
              {fields.map(([field, label]) => (
                <Cell key={field} draft={draft} field={field} row={row} label={label} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

type CellProps = { draft: Draft; field: Field; row: number; label: string }

function Cell({ draft, field, row, label }: CellProps) {
  const name = nameOf(field, row)
  const problem = draft.problems[name]
  return (
    <td data-label={label}>
      <input
        class={`form-control${problem ? ' is-invalid' : ''}`}
        id={name}
        name={name}
        aria-label={`${label}, item ${row}`}
        value={draft.values.get(name) ?? ''}
        autocomplete="off"
        {...(field !== 'item' && { inputMode: 'decimal' as const })}
        {...(field === 'quantity' && { placeholder: '1' })}
        {...(problem && { 'aria-invalid': true, 'aria-describedby': `${name}-error` })}
      />
      {problem && (
        <p class="field-error" id={`${name}-error`}>
          {problem}
        </p>
      )}
    </td>
  )
}
