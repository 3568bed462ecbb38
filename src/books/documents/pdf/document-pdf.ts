// Draws a document as PDF, from its snapshot only. Nothing is computed, so the same snapshot always
// gives the same bytes.
import { grouped } from '../../../kernel/money/decimal.ts'
import type { DocumentSnapshot } from '../document-snapshot.ts'
import { drawHead, drawParties } from './head.ts'
import type { Style } from './ink.ts'
import { loadFonts } from './letters.ts'
import { accentsOf, body, colours, lineHeight, quiet, strong } from './looks.ts'
import { drawOnline } from './online.ts'
import { createSheet, page, type Sheet } from './sheet.ts'
import { type Column, drawTable } from './table.ts'
import { nameOf, warningOn, wordsOf } from './words.ts'

// A void document looks as before, with a warning on every page.
export async function renderDocumentPdf(
  snapshot: DocumentSnapshot,
  isVoid = false,
  // The one that the snapshot names.
  logo?: Uint8Array,
): Promise<Uint8Array> {
  const sheet = createSheet({
    fonts: await loadFonts(),
    title: nameOf(snapshot),
    author: snapshot.organisation.name,
    createdAt: new Date(snapshot.frozenAt),
  })
  drawDocument(sheet, { snapshot, isVoid, logo })
  const warning = warningOn(snapshot, isVoid)
  return sheet.finish((number, count) => drawFrame(sheet, snapshot, { warning, number, count }))
}

export type DrawnDocument = {
  readonly snapshot: DocumentSnapshot
  readonly isVoid: boolean
  readonly logo?: Uint8Array | undefined
}

// One file with several documents, each as in its own file, with its own page numbers.
export async function renderDocumentsPdf(
  documents: readonly [DrawnDocument, ...DrawnDocument[]],
): Promise<Uint8Array> {
  const [{ snapshot }] = documents
  const sheet = createSheet({
    fonts: await loadFonts(),
    title: documents.length === 1 ? nameOf(snapshot) : `${documents.length} documents`,
    author: snapshot.organisation.name,
    createdAt: new Date(snapshot.frozenAt),
  })
  const starts = documents.map((document) => {
    const start = sheet.startDocument(nameOf(document.snapshot))
    drawDocument(sheet, document)
    return start
  })
  return sheet.finish((number, count) => {
    const index = starts.findLastIndex((start) => start <= number)
    const [own, start = 1, next = count + 1] = [documents[index], starts[index], starts[index + 1]]
    if (!own) return
    drawFrame(sheet, own.snapshot, {
      warning: warningOn(own.snapshot, own.isVoid),
      number: number - start + 1,
      count: next - start,
    })
  })
}

function drawDocument(sheet: Sheet, { snapshot, isVoid, logo }: DrawnDocument): void {
  drawHead(sheet, snapshot, logo)
  drawParties(sheet, snapshot)
  drawLines(sheet, snapshot)
  drawTotals(sheet, snapshot)
  drawTaxes(sheet, snapshot)
  if (!isVoid) drawOnline(sheet, snapshot.page)
  drawText(sheet, 'Payment details', snapshot.paymentDetails)
  drawText(sheet, 'Notes', snapshot.notes)
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

// Kept together, so that the amounts and their sum are on one page.
function drawTotals(sheet: Sheet, snapshot: DocumentSnapshot): void {
  const { currency, subtotal, taxTotal, total, amountDue } = snapshot
  const { accent, tint } = accentsOf(snapshot)
  const due: Style = { font: 'strong', size: 11.5, colour: accent }
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
  sheet.fill(left - overhang, sheet.y - 8, width, 30, tint)
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
  sheet.fill(0, 0, page.width, 6, accentsOf(snapshot).bar)
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
