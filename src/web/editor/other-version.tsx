// Another person saved the same draft. Both versions are on the page: theirs here, and what this
// person typed in the form below.
import type { DocumentLine } from '../../books/documents/document.ts'
import { formatDay } from '../components/day.tsx'
import { formatMoney } from '../components/money.tsx'

type Paper = {
  readonly date: string
  readonly reference: string | null
  readonly notes: string | null
  readonly currency: string
  readonly totalMinor: bigint
  readonly lines: readonly Omit<DocumentLine, 'taxes'>[]
}

export function OtherVersion({ paper, freshHref }: { paper: Paper; freshHref: string }) {
  const { date, reference, notes, currency, totalMinor, lines } = paper
  return (
    <section class="note note-unsure mb-3">
      <h2>Someone else has saved this draft meanwhile</h2>
      <p>
        This is their version, of {formatDay(date)}
        {reference !== null && `, with the reference ${reference}`}. Yours is in the form below;
        nothing of it is lost. Take over what you need and replace theirs with yours, or{' '}
        <a href={freshHref}>continue with theirs</a>.
      </p>
      <ul>
        {lines.map((line) => (
          <li key={line.id}>
            {line.description}: {line.quantity} × {line.unitPrice} ={' '}
            {formatMoney(line.netMinor, currency)}
          </li>
        ))}
      </ul>
      <p class="mb-0">
        Total {formatMoney(totalMinor, currency)}
        {notes !== null && `. Notes: ${notes}`}
      </p>
    </section>
  )
}
