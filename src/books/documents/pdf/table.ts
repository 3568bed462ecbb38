// A table over any number of pages. Figures are right-aligned and never broken: if there is no
// room, the whole table becomes smaller. Its header is repeated on every page; a row longer than a
// page continues on the next.
import type { Style } from './ink.ts'
import { colours } from './looks.ts'
import { type Element, page, type Sheet } from './sheet.ts'

export type Column = {
  readonly label: string
  // figure: right-aligned, one line. text: left-aligned, broken at the width. rest: the same, with
  // all the remaining width.
  readonly kind: 'figure' | 'text' | 'rest'
}

export type Table = {
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly string[])[]
}

type Cell = { readonly x: number; readonly right: number; readonly width: number }

type Layout = {
  readonly body: Style
  readonly head: Style
  readonly cells: readonly Cell[]
  readonly lineHeight: number
}

const bodySizes = [9, 8, 7, 6]
const smallestSize = 5
const gap = 14
const restWidthMin = 130
const textWidthMax = 84
const padding = 6
const headHeight = 22
// A row up to this height is not split.
const wholeRowMax = 240
const linesTogetherMin = 3

export function drawTable(sheet: Sheet, parent: Element, table: Table): void {
  const layout = layOut(sheet, table)
  const element = sheet.add(parent, 'Table')
  if (sheet.roomLeft() < headHeight + 3 * layout.lineHeight) sheet.turnPage()
  drawHead(sheet, sheet.add(sheet.add(element, 'THead'), 'TR'), table, layout)
  const body = sheet.add(element, 'TBody')
  for (const row of table.rows) drawRow(sheet, sheet.add(body, 'TR'), table, layout, row)
}

function layOut(sheet: Sheet, table: Table): Layout {
  const rest = table.columns.findIndex(({ kind }) => kind === 'rest')
  for (const size of bodySizes) {
    const layout = layOutAt(sheet, table, size)
    if ((layout.cells[rest]?.width ?? 0) >= restWidthMin) return layout
  }
  return layOutAt(sheet, table, smallestSize)
}

function layOutAt(sheet: Sheet, { columns, rows }: Table, size: number): Layout {
  const body: Style = { font: 'regular', size, colour: colours.ink }
  const head: Style = { font: 'strong', size: size * 0.8, colour: colours.grey, spacing: 0.3 }
  const natural = columns.map(({ label, kind }, index) => {
    const widths = rows.map((row) => sheet.widthOf(row[index] ?? '', body))
    const widest = Math.max(sheet.widthOf(label.toUpperCase(), head), ...widths)
    return kind === 'text' ? Math.min(widest, textWidthMax) : widest
  })
  const others = columns.reduce(
    (sum, { kind }, index) => sum + (kind === 'rest' ? 0 : (natural[index] ?? 0) + gap),
    0,
  )
  let x: number = page.left
  const cells = columns.map(({ kind }, index) => {
    const width = kind === 'rest' ? page.right - page.left - others : (natural[index] ?? 0)
    const cell = { x, width, right: x + width }
    x += width + gap
    return cell
  })
  return { body, head, cells, lineHeight: size * 1.4 }
}

function drawHead(
  sheet: Sheet,
  parent: Element | 'artifact',
  { columns }: Table,
  { head, cells }: Layout,
): void {
  const baseline = sheet.y + headHeight - 8
  for (const [index, { label, kind }] of columns.entries()) {
    const cell = cells[index]
    if (!cell) continue
    const target = parent === 'artifact' ? parent : sheet.add(parent, 'TH')
    const text = label.toUpperCase()
    if (kind === 'figure') sheet.writeRight(target, text, cell.right, baseline, head)
    else sheet.write(target, text, cell.x, baseline, head)
  }
  sheet.y += headHeight
  sheet.rule(page.left, page.right, sheet.y, colours.ink, 0.9)
}

function drawRow(
  sheet: Sheet,
  parent: Element,
  table: Table,
  layout: Layout,
  row: readonly string[],
): void {
  const { body, cells, lineHeight } = layout
  const texts = table.columns.map(({ kind }, index) => {
    const text = row[index] ?? ''
    return kind === 'figure' ? [text] : sheet.linesOf(text, body, cells[index]?.width ?? 0)
  })
  const elements = table.columns.map(() => sheet.add(parent, 'TD'))
  const count = Math.max(...texts.map(({ length }) => length))
  const height = count * lineHeight + 2 * padding
  const together = Math.min(count, linesTogetherMin) * lineHeight + 2 * padding
  const isTooLong = height > sheet.roomLeft() && height <= wholeRowMax
  if (isTooLong || together > sheet.roomLeft()) turnPage(sheet, table, layout)
  sheet.y += padding
  for (let line = 0; line < count; line += 1) {
    if (sheet.roomLeft() < lineHeight + padding) {
      turnPage(sheet, table, layout)
      sheet.y += padding
    }
    const baseline = sheet.y + body.size
    for (const [index, { kind }] of table.columns.entries()) {
      const [cell, element, text] = [cells[index], elements[index], texts[index]?.[line] ?? '']
      if (!cell || !element) continue
      if (kind === 'figure') sheet.writeRight(element, text, cell.right, baseline, body)
      else sheet.write(element, text, cell.x, baseline, body)
    }
    sheet.y += lineHeight
  }
  sheet.y += padding
  sheet.rule(page.left, page.right, sheet.y, colours.line, 0.5)
}

function turnPage(sheet: Sheet, table: Table, layout: Layout): void {
  sheet.turnPage()
  drawHead(sheet, 'artifact', table, layout)
}
