// A list of objects. On a phone each row becomes a card with its own labels.
import type { ComponentChildren } from 'preact'

export type Column<Row> = {
  readonly label: string
  readonly cell: (row: Row) => ComponentChildren
  readonly isNumber?: boolean
  // False leaves the column out, for example if it would be empty.
  readonly isShown?: boolean
}

type TableProps<Row> = {
  // What the table lists, for screen readers.
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  // The object's page. The first column links to it.
  hrefOf?: (row: Row) => string
  // A box in each row. The caller puts the table into a form.
  choice?: { readonly name: string; readonly labelOf: (row: Row) => string }
}

export function Table<Row>(props: TableProps<Row>) {
  const { caption, rows, keyOf, hrefOf, choice } = props
  const columns = props.columns.filter(({ isShown = true }) => isShown)
  return (
    <div class="card table-card">
      <table class="data-table" data-rows>
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ label, isNumber }, index) => (
              <th key={label} scope="col" class={isNumber ? 'number' : ''}>
                {index === 0 && choice && <ChooseAll name={choice.name} />}
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ label, cell, isNumber }, index) => (
                <td key={label} data-label={label} class={isNumber ? 'number' : ''}>
                  {index === 0 && choice && (
                    <input
                      class="form-check-input row-choice"
                      type="checkbox"
                      name={choice.name}
                      value={keyOf(row)}
                      aria-label={choice.labelOf(row)}
                    />
                  )}
                  {index === 0 && hrefOf ? <a href={hrefOf(row)}>{cell(row)}</a> : cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

// Ticks every row of the page. The script shows it.
function ChooseAll({ name }: { name: string }) {
  return (
    <input
      class="form-check-input row-choice"
      type="checkbox"
      data-choose-all={name}
      aria-label="Choose all on this page"
      hidden
    />
  )
}

type EmptyProps = { title: string; children: ComponentChildren; action?: ComponentChildren }

// Says what belongs here and offers the first step.
export function EmptyState({ title, children, action }: EmptyProps) {
  return (
    <div class="card">
      <div class="card-body empty-state">
        <h2>{title}</h2>
        <p class="quiet">{children}</p>
        {action}
      </div>
    </div>
  )
}

type PagerProps = {
  nextHref: string | undefined
  firstHref: string | undefined
  nextLabel?: string
  firstLabel?: string
}

export function Pager(props: PagerProps) {
  const { nextHref, firstHref, nextLabel = 'Older', firstLabel = 'Newest' } = props
  if (!nextHref && !firstHref) return null
  return (
    <nav class="pager" aria-label="Pages">
      {firstHref && (
        <a class="btn" href={firstHref}>
          {firstLabel}
        </a>
      )}
      {nextHref && (
        <a class="btn" href={nextHref} rel="next">
          {nextLabel}
        </a>
      )}
    </nav>
  )
}
