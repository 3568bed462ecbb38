// A table over any number of pages. Figures are right-aligned and never broken: if there is no
// room, the whole table becomes smaller. Its header is repeated on every page; a row longer than a
// page continues on the next.
import type { Style } from './ink.ts'
import { colours } from './looks.ts'
import type { Element, Sheet } from './sheet.ts'

export type Column = {
  readonly label: string
  // figure: right-aligned, one line. text: left-aligned, broken at the width. rest: the same, with
  // all the remaining width.
  readonly kind: 'figure' | 'text' | 'rest'
}

export type RowLook = 'heading' | 'line' | 'part' | 'total' | 'result'

export type Table = {
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly string[])[]
  // One per row, for the rows of a report. They stand closer together than those of a document.
  readonly looks?: readonly RowLook[]
}

type Cell = { readonly x: number; readonly right: number; readonly width: number }

type Layout = {
  readonly body: Style
  readonly head: Style
  readonly cells: readonly Cell[]
  readonly lineHeight: number
  readonly padding: number
}

const bodySizes = [9, 8, 7, 6]
const smallestSize = 5
const documentGap = 14
export const reportGap = 10
const documentRestMin = 130
const reportRestMin = 170
const textWidthMax = 84
const documentPadding = 6
const reportPadding = 3
// Of the first column: accounts stand below their heading, components below their tax.
const indents = { heading: 0, line: 8, part: 20, total: 0, result: 0 } as const
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
  for (const [index, row] of table.rows.entries()) {
    drawRow(sheet, sheet.add(body, 'TR'), table, layout, row, table.looks?.[index] ?? 'line')
  }
}

function layOut(sheet: Sheet, table: Table): Layout {
  const rest = table.columns.findIndex(({ kind }) => kind === 'rest')
  const restWidthMin = table.looks ? reportRestMin : documentRestMin
  for (const size of bodySizes) {
    const layout = layOutAt(sheet, table, size)
    if ((layout.cells[rest]?.width ?? 0) >= restWidthMin) return layout
  }
  return layOutAt(sheet, table, smallestSize)
}

function layOutAt(sheet: Sheet, { columns, rows, looks }: Table, size: number): Layout {
  const { page } = sheet
  const gap = looks ? reportGap : documentGap
  const body: Style = { font: 'regular', size, colour: colours.ink }
  const head: Style = { font: 'strong', size: size * 0.8, colour: colours.grey, spacing: 0.3 }
  const natural = columns.map(({ label, kind }, index) => {
    const widths = rows.map((row, at) =>
      sheet.widthOf(row[index] ?? '', styleOf(body, looks?.[at] ?? 'line')),
    )
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
  const padding = looks ? reportPadding : documentPadding
  return { body, head, cells, lineHeight: size * 1.4, padding }
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
  sheet.rule(sheet.page.left, sheet.page.right, sheet.y, colours.ink, 0.9)
}

function drawRow(
  sheet: Sheet,
  parent: Element,
  table: Table,
  layout: Layout,
  row: readonly string[],
  look: RowLook,
): void {
  const { cells, lineHeight, padding } = layout
  const body = styleOf(layout.body, look)
  const isNamed = table.looks !== undefined && table.columns[0]?.kind === 'rest'
  const indentOf = (index: number) => (isNamed && index === 0 ? indents[look] : 0)
  const texts = table.columns.map(({ kind }, index) => {
    const text = row[index] ?? ''
    return kind === 'figure'
      ? [text]
      : sheet.linesOf(text, body, (cells[index]?.width ?? 0) - indentOf(index))
  })
  const elements = table.columns.map(() => sheet.add(parent, 'TD'))
  const count = Math.max(...texts.map(({ length }) => length))
  // A heading stays with the row that follows it.
  const following = look === 'heading' ? lineHeight + 2 * padding : 0
  const height = count * lineHeight + 2 * padding + following
  const together = Math.min(count, linesTogetherMin) * lineHeight + 2 * padding + following
  const isTooLong = height > sheet.roomLeft() && height <= wholeRowMax
  if (isTooLong || together > sheet.roomLeft()) turnPage(sheet, table, layout)
  if (look === 'heading') sheet.y += padding
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
      else sheet.write(element, text, cell.x + indentOf(index), baseline, body)
    }
    sheet.y += lineHeight
  }
  sheet.y += padding
  const [colour, thickness] = look === 'result' ? [colours.ink, 0.9] : [colours.line, 0.5]
  sheet.rule(sheet.page.left, sheet.page.right, sheet.y, colour, thickness)
}

function styleOf(body: Style, look: RowLook): Style {
  return look === 'line' || look === 'part' ? body : { ...body, font: 'strong' }
}

function turnPage(sheet: Sheet, table: Table, layout: Layout): void {
  sheet.turnPage()
  drawHead(sheet, 'artifact', table, layout)
}
