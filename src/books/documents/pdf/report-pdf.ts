// Draws a report as PDF: the organisation and what the report shows, its tables, and the page
// numbers. Many columns take a landscape page; if they don't fit there either, the table continues
// below with the next columns, so that figures stay readable.
import { drawLogo, drawParty } from './head.ts'
import type { Style } from './ink.ts'
import { loadFonts } from './letters.ts'
import { accentsOf, colours, lineHeight, quiet } from './looks.ts'
import type { PrintedReport, PrintedTable, PrintedWords } from './printed-report.ts'
import { createSheet, type Sheet } from './sheet.ts'
import { drawTable, reportGap } from './table.ts'

const portraitColumnsMax = 6
// Of the column with the names, which every part of a wide table repeats.
const nameWidth = 170

export async function renderReportPdf(
  report: PrintedReport,
  // The one that the brand names.
  logo?: Uint8Array,
): Promise<Uint8Array> {
  const { tables, organisation, title, note } = report
  const sheet = createSheet({
    fonts: await loadFonts(),
    title: `${title}, ${report.lead}`,
    author: organisation.name,
    createdAt: new Date(report.printedAt),
    language: wordsOf(report).language,
    isLandscape: tables.some(({ columns }) => columns.length > portraitColumnsMax),
  })
  drawReportHead(sheet, report, logo)
  for (const table of tables) {
    if (table.heading !== null) drawHeading(sheet, table.heading)
    for (const [index, part] of partsOf(sheet, table).entries()) {
      if (index > 0) sheet.y += 24
      drawTable(sheet, sheet.root, {
        columns: part.columns,
        rows: part.rows.map(({ cells }) => cells),
        looks: part.rows.map(({ look }) => look),
      })
    }
  }
  if (note !== null) drawNote(sheet, note)
  return sheet.finish((number, count) => drawFrame(sheet, report, { number, count }))
}

function drawReportHead(sheet: Sheet, report: PrintedReport, logo: Uint8Array | undefined): void {
  const { page } = sheet
  const { organisation, title, lead, facts } = report
  const titleStyle: Style = { font: 'strong', size: 20, colour: colours.ink }
  const half = (page.right - page.left) / 2 - 20
  const top = sheet.y
  const heading = sheet.add(sheet.root, 'H1')
  let right = top
  for (const line of sheet.linesOf(title, titleStyle, half)) {
    right += 24
    sheet.writeRight(heading, line, page.right, right, titleStyle)
  }
  right += 4
  const period = sheet.add(sheet.root, 'P')
  const leadStyle: Style = { ...quiet, size: 10 }
  for (const line of sheet.linesOf(lead, leadStyle, half)) {
    right += 14
    sheet.writeRight(period, line, page.right, right, leadStyle)
  }
  const nameStyle: Style = { font: 'strong', size: 14, colour: colours.ink }
  const party = sheet.add(sheet.root, 'Div')
  let left = top + 4 + drawLogo(sheet, report, logo)
  for (const line of sheet.linesOf(organisation.name, nameStyle, half)) {
    left += 17
    sheet.write(sheet.add(party, 'P'), line, page.left, left, nameStyle)
  }
  sheet.y = left + 4
  drawParty(sheet, party, organisation, half, quiet, wordsOf(report).taxNumber)
  sheet.y = Math.max(sheet.y, right) + 22
  sheet.rule(page.left, page.right, sheet.y, colours.line, 0.5)
  sheet.y += 18
  const paragraph = sheet.add(sheet.root, 'P')
  for (const line of sheet.linesOf(facts.join(' · '), quiet, page.right - page.left)) {
    sheet.write(paragraph, line, page.left, sheet.y, quiet)
    sheet.y += lineHeight
  }
}

function drawHeading(sheet: Sheet, text: string): void {
  if (sheet.roomLeft() < 100) sheet.turnPage()
  else sheet.y += 30
  const style: Style = { font: 'strong', size: 10.5, colour: colours.ink }
  sheet.write(sheet.add(sheet.root, 'H2'), text, sheet.page.left, sheet.y, style)
  sheet.y += 4
}

function drawNote(sheet: Sheet, text: string): void {
  const lines = sheet.linesOf(text, quiet, sheet.page.right - sheet.page.left)
  if (sheet.roomLeft() < 14 + lines.length * lineHeight) sheet.turnPage()
  else sheet.y += 14
  const paragraph = sheet.add(sheet.root, 'P')
  for (const line of lines) {
    sheet.y += lineHeight
    sheet.write(paragraph, line, sheet.page.left, sheet.y, quiet)
  }
}

// At a size that is easy to read, as many columns as the page has room for.
const partStyle: Style = { font: 'strong', size: 7, colour: colours.ink }
const partHeadStyle: Style = { ...partStyle, size: 5.6, spacing: 0.3 }

function partsOf(sheet: Sheet, table: PrintedTable): PrintedTable[] {
  const { columns, rows } = table
  if (columns[0]?.kind !== 'rest') return [table]
  const room = sheet.page.right - sheet.page.left - nameWidth
  const parts: number[][] = [[]]
  let taken = 0
  for (const [index, { label }] of columns.entries()) {
    if (index === 0) continue
    const width = Math.max(
      sheet.widthOf(label.toUpperCase(), partHeadStyle),
      ...rows.map(({ cells }) => sheet.widthOf(cells[index] ?? '', partStyle)),
    )
    if (taken > 0 && taken + width + reportGap > room) {
      parts.push([])
      taken = 0
    }
    taken += width + reportGap
    parts.at(-1)?.push(index)
  }
  if (parts.length === 1) return [table]
  return parts.map((part) => ({
    ...table,
    columns: [0, ...part].flatMap((index) => columns[index] ?? []),
    rows: rows.map(({ look, cells }) => ({
      look,
      cells: [0, ...part].map((index) => cells[index] ?? ''),
    })),
  }))
}

function drawFrame(
  sheet: Sheet,
  report: PrintedReport,
  { number, count }: { number: number; count: number },
): void {
  const { page } = sheet
  const small: Style = { ...quiet, size: 7.5 }
  sheet.fill(0, 0, page.width, 6, accentsOf(report).bar)
  const words = wordsOf(report)
  if (words.warning !== '') {
    const warning: Style = { font: 'strong', size: 8, colour: colours.warning, spacing: 0.4 }
    const parent = number === 1 ? sheet.add(sheet.root, 'P') : 'artifact'
    sheet.write(parent, words.warning, page.left, 32, warning)
  }
  if (number > 1) {
    const continued = `${report.title}, ${words.continued}`
    const [line = ''] = sheet.linesOf(continued, quiet, page.right - page.left)
    sheet.write('artifact', line, page.left, 54, quiet)
    sheet.rule(page.left, page.right, 66, colours.line, 0.5)
  }
  const text = `${report.organisation.name}, ${report.title}, ${report.lead}`
  const [name = ''] = sheet.linesOf(text, small, page.right - page.left - 100)
  sheet.rule(page.left, page.right, page.height - 46, colours.line, 0.5)
  sheet.write('artifact', name, page.left, page.height - 32, small)
  const at = words.page.replace('{number}', String(number)).replace('{count}', String(count))
  sheet.writeRight('artifact', at, page.right, page.height - 32, small)
}

function wordsOf({ words, isSandbox }: PrintedReport): PrintedWords {
  return (
    words ?? {
      language: 'en',
      warning: isSandbox ? 'SANDBOX: THESE ARE NOT REAL FIGURES' : '',
      page: 'Page {number} of {count}',
      continued: 'continued',
    }
  )
}
