// The head of a document: the organisation, the title, who it is for, and its dates.
import { fitted } from '../../../kernel/brand/brand.ts'
import type { DocumentSnapshot, SnapshotParty } from '../document-snapshot.ts'
import type { Style } from './ink.ts'
import { body, colours, label, lineHeight, quiet, strong } from './looks.ts'
import { type Element, page, type Sheet } from './sheet.ts'
import { longDate, wordsOf } from './words.ts'

export function drawHead(
  sheet: Sheet,
  snapshot: DocumentSnapshot,
  logo: Uint8Array | undefined,
): void {
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
  let left = top + 4 + drawLogo(sheet, snapshot, logo)
  for (const line of sheet.linesOf(organisation.name, nameStyle, width)) {
    left += 17
    sheet.write(sheet.add(party, 'P'), line, page.left, left, nameStyle)
  }
  sheet.y = left + 4
  drawParty(sheet, party, organisation, width, quiet)
  sheet.y = Math.max(sheet.y, right) + 26
}

const logoBox = { width: 180, height: 56 }

// Returns the height that it takes. The name of the organisation follows as text, so that the logo
// needs none for people who don't see it.
export function drawLogo(
  sheet: Sheet,
  { brand }: Pick<DocumentSnapshot, 'brand'>,
  logo: Uint8Array | undefined,
): number {
  if (!brand?.logo || !logo) return 0
  const { width, height } = fitted(brand.logo, logoBox)
  sheet.image(logo, page.left, sheet.y, width, height)
  return height + 6
}

export function drawParties(sheet: Sheet, snapshot: DocumentSnapshot): void {
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

export function drawParty(
  sheet: Sheet,
  parent: Element,
  { address, taxNumber, email, phone = null, website = null }: SnapshotParty,
  width: number,
  style: Style,
  taxNumberText = 'Tax number {number}',
): void {
  const lines = [
    ...addressLines(sheet, address ?? '', width, style),
    ...(taxNumber === null
      ? []
      : sheet.linesOf(
          taxNumberText.replace('{number}', () => taxNumber),
          style,
          width,
        )),
    ...[email, phone, website].flatMap((line) =>
      line === null ? [] : sheet.linesOf(line, style, width),
    ),
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
