// The debit or credit of one row of a journal that a person types.
import type { Draft } from '../shell/define-page.ts'

type AmountCellProps = { draft: Draft; side: 'debit' | 'credit'; row: string | number }

export function AmountCell({ draft, side, row }: AmountCellProps) {
  const name = `${side}_${row}`
  const label = side === 'debit' ? 'Debit' : 'Credit'
  const isWrong = draft.problems[name] !== undefined
  return (
    <td data-label={label}>
      <input
        class={isWrong ? 'form-control is-invalid' : 'form-control'}
        id={name}
        name={name}
        aria-label={`${label} ${row}`}
        value={draft.values.get(name) ?? ''}
        data-side={side}
        inputMode="decimal"
        autocomplete="off"
        {...(isWrong && { 'aria-invalid': 'true', 'aria-describedby': `${name}-error` })}
      />
      <RowError draft={draft} name={name} />
    </td>
  )
}

export function RowError({ draft, name }: { draft: Draft; name: string }) {
  const text = draft.problems[name]
  if (!text) return null
  return (
    <p class="field-error" id={`${name}-error`}>
      {text}
    </p>
  )
}
