// The totals below the lines. The island writes the same rows again while a person types.
import type { EditorFacts } from '../../books/documents/get-editor-facts.ts'
import type { EditorState, ReadState } from './editor-state.ts'
import { totalRows } from './total-rows.ts'

type Props = { computed: ReadState; facts: EditorFacts; state: EditorState }

export function EditorTotals({ computed, facts, state }: Props) {
  return (
    <dl class="totals" data-totals aria-live="polite">
      {totalRows(computed, facts, state).map(({ label, text, isTotal }) => (
        <div key={label} class={isTotal ? 'is-total' : ''}>
          <dt>{label}</dt>
          <dd class="money">{text}</dd>
        </div>
      ))}
    </dl>
  )
}
