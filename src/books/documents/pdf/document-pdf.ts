// Draws a document as PDF, from its snapshot only. Nothing is computed, so the same snapshot always
// gives the same bytes.
import { grouped } from '../../../kernel/money/decimal.ts'
import type { DocumentSnapshot, SnapshotParty } from '../document-snapshot.ts'
import type { Style } from './ink.ts'
import { loadFonts } from './letters.ts'
import { colours, createSheet, type Element, page, type Sheet } from './sheet.ts'
import { type Column, drawTable } from './table.ts'
import { longDate, warningOn, wordsOf } from './words.ts'

// A void document looks as before, with a warning on every page.
export async function renderDocumentPdf(
  snapshot: DocumentSnapshot,
  isVoid = false,
): Promise<Uint8Array> {
  const { organisation } = snapshot
  const sheet = createSheet({
    fonts: await loadFonts(),
    title: nameOf(snapshot),
    author: organisation.name,
    createdAt: new Date(snapshot.frozenAt),
  })
  drawHead(sheet, snapshot)
  drawParties(sheet, snapshot)
  drawLines(sheet, snapshot)
  drawTotals(sheet, snapshot)
  drawTaxes(sheet, snapshot)
  drawText(sheet, 'Payment details', snapshot.paymentDetails)
  drawText(sheet, 'Notes', snapshot.notes)
  const warning = warningOn(snapshot, isVoid)
  return sheet.finish((number, count) => drawFrame(sheet, snapshot, { warning, number, count }))
}

const body: Style = { font: 'regular', size: 9, colour: colours.ink }
const quiet: Style = { ...body, colour: colours.grey }
const strong: Style = { ...body, font: 'strong' }
const label: Style = { font: 'strong', size: 7.2, colour: colours.grey, spacing: 0.3 }
const lineHeight = 13

function nameOf(snapshot: DocumentSnapshot): string {
  const { title } = wordsOf(snapshot)
  return snapshot.number === null ? title : `${title} ${snapshot.number}`
}

function drawHead(sheet: Sheet, snapshot: DocumentSnapshot): void {
  const { organisation, number } = snapshot
  const heading = sheet.add(sheet.root, 'H1')
  const titleStyle: Style = { font: 'strong', size: 24, colour: colours.ink }
  const top = sheet.y
  sheet.writeRight(heading, wordsOf(snapshot).title, page.right, top + 24, titleStyle)
  const numberStyle: Style = { ...quiet, size: 11 }
  let right = top + 30
  for (const line of number === null ? [] : sheet.linesOf(number, numberStyle, 200)) {
    right += 14
    sheet.writeRight(heading, line, page.right, right, numberStyle)
  }
  const nameStyle: Style = { font: 'strong', size: 14, colour: colours.ink }
  const width = 260
  const party = sheet.add(sheet.root, 'Div')
  let left = top + 4
  for (const line of sheet.linesOf(organisation.name, nameStyle, width)) {
    left += 17
    sheet.write(sheet.add(party, 'P'), line, page.left, left, nameStyle)
  }
  sheet.y = left + 4
  drawParty(sheet, party, organisation, width, quiet)
  sheet.y = Math.max(sheet.y, right) + 26
}

function drawParties(sheet: Sheet, snapshot: DocumentSnapshot): void {
  const words = wordsOf(snapshot)
  const top = sheet.y
  sheet.rule(page.left, page.right, top, colours.line, 0.5)
  sheet.y = top + 20
  const party = sheet.add(sheet.root, 'Div')
  sheet.write(sheet.add(party, 'P'), words.contact.toUpperCase(), page.left, sheet.y, label)
  for (const line of sheet.linesOf(snapshot.contact.name, { ...strong, size: 10.5 }, 240)) {
    sheet.y += 15
    sheet.write(sheet.add(party, 'P'), line, page.left, sheet.y, { ...strong, size: 10.5 })
  }
  sheet.y += 1
  drawParty(sheet, party, snapshot.contact, 240, body)
  const left = sheet.y
  sheet.y = top + 20
  const facts: readonly (readonly [string, string | null])[] = [
    [words.date, longDate(snapshot.date)],
    [words.dueDate, snapshot.dueDate && longDate(snapshot.dueDate)],
    ['Reference', snapshot.reference],
    ['Credits', snapshot.creditedNumber ?? null],
    ['Currency', snapshot.currency],
  ]
  for (const [name, value] of facts) if (value) drawFact(sheet, name, value)
  sheet.y = Math.max(left, sheet.y) + 28
}

function drawParty(
  sheet: Sheet,
  parent: Element,
  { address, taxNumber, email }: SnapshotParty,
  width: number,
  style: Style,
): void {
  const lines = [
    ...addressLines(sheet, address ?? '', width, style),
    ...(taxNumber === null ? [] : sheet.linesOf(`Tax number ${taxNumber}`, style, width)),
    ...(email === null ? [] : sheet.linesOf(email, style, width)),
  ]
  for (const line of lines) {
    sheet.y += lineHeight
    sheet.write(sheet.add(parent, 'P'), line, page.left, sheet.y, style)
  }
}

const addressLinesMax = 10

// An address with many short lines must not push everything else off the page.
function addressLines(sheet: Sheet, address: string, width: number, style: Style): string[] {
  const given = address.split('\n').filter((line) => line.trim() !== '')
  const lines = given.flatMap((line) => sheet.linesOf(line, style, width))
  return lines.length > addressLinesMax ? sheet.linesOf(given.join(', '), style, width) : lines
}

const factsLeft = 340

function drawFact(sheet: Sheet, name: string, value: string): void {
  const fact = sheet.add(sheet.root, 'P')
  sheet.write(fact, name, factsLeft, sheet.y, quiet)
  for (const line of sheet.linesOf(value, strong, page.right - factsLeft - 80)) {
    sheet.writeRight(fact, line, page.right, sheet.y, strong)
    sheet.y += lineHeight + 2
  }
}

function drawLines(sheet: Sheet, { lines, currency }: DocumentSnapshot): void {
  const hasDiscount = lines.some(({ discountPct }) => discountPct !== null)
  const hasTax = lines.some(({ taxCode }) => taxCode !== null)
  const columns: Column[] = [
    { label: 'Description', kind: 'rest' },
    { label: 'Quantity', kind: 'figure' },
    { label: 'Unit price', kind: 'figure' },
    ...(hasDiscount ? [{ label: 'Discount', kind: 'figure' } as const] : []),
    ...(hasTax ? [{ label: 'Tax', kind: 'text' } as const] : []),
    { label: `Net ${currency}`, kind: 'figure' },
  ]
  const rows = lines.map((line) => [
    line.description,
    grouped(line.quantity),
    grouped(line.unitPrice),
    ...(hasDiscount ? [line.discountPct === null ? '' : `${line.discountPct}%`] : []),
    ...(hasTax ? [line.taxCode ?? ''] : []),
    grouped(line.net),
  ])
  drawTable(sheet, sheet.root, { columns, rows })
}

const totalsWidthMin = 227
const big: Style = { ...strong, size: 11 }
const due: Style = { font: 'strong', size: 11.5, colour: colours.accent }

// Kept together, so that the amounts and their sum are on one page.
function drawTotals(sheet: Sheet, snapshot: DocumentSnapshot): void {
  const { currency, subtotal, taxTotal, total, amountDue } = snapshot
  const dueLabel = `${wordsOf(snapshot).amountDue} ${currency}`
  const widest = sheet.widthOf(`${dueLabel} ${grouped(amountDue ?? total)}`, due) + 24
  const left = page.right - Math.max(widest, totalsWidthMin)
  if (sheet.roomLeft() < (amountDue === null ? 90 : 130)) sheet.turnPage()
  sheet.y += 22
  drawTotal(sheet, 'Subtotal', subtotal, left, quiet)
  drawTotal(sheet, 'Tax', taxTotal, left, quiet)
  sheet.rule(left, page.right, sheet.y - 8, colours.ink, 0.9)
  sheet.y += 8
  drawTotal(sheet, `Total ${currency}`, total, left, big)
  if (amountDue === null) return
  const overhang = 10
  const width = page.right - left + 2 * overhang
  sheet.fill(left - overhang, sheet.y - 8, width, 30, colours.tint)
  sheet.y += 11
  drawTotal(sheet, dueLabel, amountDue, left, due)
  sheet.y += 6
}

function drawTotal(sheet: Sheet, name: string, amount: string, left: number, style: Style): void {
  const element = sheet.add(sheet.root, 'P')
  sheet.write(element, name, left, sheet.y, style)
  sheet.writeRight(element, grouped(amount), page.right, sheet.y, style === quiet ? body : style)
  sheet.y += 18
}

function drawTaxes(sheet: Sheet, { taxes }: DocumentSnapshot): void {
  if (taxes.length === 0) return
  drawHeading(sheet, 'Tax summary', 70)
  const columns: Column[] = [
    { label: 'Tax code', kind: 'rest' },
    { label: 'Rate', kind: 'figure' },
    { label: 'Net', kind: 'figure' },
    { label: 'Tax', kind: 'figure' },
  ]
  const rows = taxes.map(({ taxCode, component, rate, net, tax }) => [
    taxCode === component ? taxCode : `${taxCode}: ${component}`,
    `${rate}%`,
    grouped(net),
    grouped(tax),
  ])
  drawTable(sheet, sheet.root, { columns, rows })
}

function drawText(sheet: Sheet, heading: string, text: string | null): void {
  if (text === null || text.trim() === '') return
  const lines = sheet.linesOf(text.trim(), body, page.right - page.left)
  drawHeading(sheet, heading, Math.min(lines.length, 3) * lineHeight)
  const paragraph = sheet.add(sheet.root, 'P')
  for (const line of lines) {
    if (sheet.roomLeft() < lineHeight) sheet.turnPage()
    sheet.y += lineHeight
    sheet.write(paragraph, line, page.left, sheet.y, body)
  }
}

function drawHeading(sheet: Sheet, text: string, below: number): void {
  if (sheet.roomLeft() < 30 + below) sheet.turnPage()
  else sheet.y += 26
  const style: Style = { font: 'strong', size: 10.5, colour: colours.ink }
  sheet.write(sheet.add(sheet.root, 'H2'), text, page.left, sheet.y, style)
  sheet.y += 4
}

// The frame of every page: the bar, the organisation, the page number, and a warning if it is not a
// real document.
function drawFrame(
  sheet: Sheet,
  snapshot: DocumentSnapshot,
  { warning: text, number, count }: { warning: string; number: number; count: number },
): void {
  const { organisation } = snapshot
  const small: Style = { ...quiet, size: 7.5 }
  sheet.fill(0, 0, page.width, 6, colours.accent)
  if (text !== '') {
    const warning: Style = { font: 'strong', size: 8, colour: colours.warning, spacing: 0.4 }
    const parent = number === 1 ? sheet.add(sheet.root, 'P') : 'artifact'
    sheet.write(parent, text, page.left, 32, warning)
  }
  const [name = ''] = sheet.linesOf(`${organisation.name}, ${nameOf(snapshot)}`, small, 400)
  if (number > 1) {
    sheet.write('artifact', `${nameOf(snapshot)}, continued`, page.left, 54, quiet)
    sheet.rule(page.left, page.right, 66, colours.line, 0.5)
  }
  sheet.rule(page.left, page.right, 796, colours.line, 0.5)
  sheet.write('artifact', name, page.left, 810, small)
  sheet.writeRight('artifact', `Page ${number} of ${count}`, page.right, 810, small)
}
