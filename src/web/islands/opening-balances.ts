// The totals of the opening balances while one types, computed by the module of the server.
import { readLocaleFrom } from '../components/locale.ts'
import { balanceSides, totalRowsOf, totalsOfTyped } from '../journal/opening-totals.ts'

readLocaleFrom(() => document.body.dataset.locale)

document.addEventListener('turbo:load', start)
start()

function start(): void {
  const grid = document.querySelector<HTMLElement>('[data-balances]:not([data-started])')
  if (!grid) return
  grid.dataset.started = ''
  const currency = grid.dataset.balances ?? ''
  const fields = [...grid.querySelectorAll<HTMLInputElement>('input[data-side]')]
  grid.addEventListener('input', () => show(grid, fields, currency))
  // The browser may have filled in what was typed before.
  show(grid, fields, currency)
}

function show(grid: HTMLElement, fields: readonly HTMLInputElement[], currency: string): void {
  const typed = fields.map(({ dataset, value }) => ({
    side: dataset.side === 'debit' ? ('debit' as const) : ('credit' as const),
    text: value,
  }))
  const rows = grid.querySelectorAll('[data-total]')
  for (const [index, row] of totalRowsOf(totalsOfTyped(typed, currency), currency).entries()) {
    write(rows[index]?.querySelector('th'), row.label)
    for (const side of balanceSides) {
      write(rows[index]?.querySelector(`[data-of=${side}]`), row.texts[side])
    }
  }
}

function write(element: Element | null | undefined, text: string): void {
  if (element && element.textContent !== text) element.textContent = text
}
