// The page: A4 with margins, text at a baseline, and tags for screen readers. Everything drawn is
// either content inside a structure element, or an artifact (lines, repeated headers, page
// numbers), which is not read out.
import PDFDocument from 'pdfkit'
import { createInk, type Style } from './ink.ts'
import { type Fonts, wrap } from './letters.ts'

// Widths and positions are points, from the upper left corner.
export type PageSize = Readonly<Record<'width' | 'height' | 'left' | 'right' | 'bottom', number>>
export const page = { width: 595.28, height: 841.89, left: 48, right: 547.28, bottom: 778 } as const
const widePage = { width: 841.89, height: 595.28, left: 48, right: 793.89, bottom: 531.4 } as const
// Where content starts; on later pages below the line that says what is continued.
const firstTop = 56
const laterTop = 84

export type Element = PDFKit.PDFStructureElement

export type Sheet = {
  readonly root: Element
  readonly page: PageSize
  // The next free height.
  y: number
  add(parent: Element, type: string): Element
  widthOf(text: string, style: Style): number
  linesOf(text: string, style: Style, width: number): string[]
  // One line, at its baseline, starting or ending at x.
  write(parent: Element | 'artifact', text: string, x: number, y: number, style: Style): void
  writeRight(parent: Element | 'artifact', text: string, x: number, y: number, style: Style): void
  rule(x1: number, x2: number, y: number, colour: string, thickness: number): void
  fill(x: number, y: number, width: number, height: number, colour: string): void
  image(bytes: Uint8Array, x: number, y: number, width: number, height: number): void
  roomLeft(): number
  turnPage(): void
  // A page on which another document of the same file starts, and its entry in the outline. Returns
  // the number of the page.
  startDocument(name: string): number
  // Draws on every page once all exist, then returns the file.
  finish(onPage: (number: number, count: number) => void): Promise<Uint8Array>
}

export type SheetOptions = {
  readonly fonts: Fonts
  readonly title: string
  readonly author: string
  readonly createdAt: Date
  // English if left out.
  readonly language?: string
  // For tables with many columns.
  readonly isLandscape?: boolean
}

// The type declarations know neither yet.
const columnScope = { scope: 'Column' } as Record<string, string>
const accessible = 'PDF/UA' as unknown as PDFKit.Mixins.PDFSubsets

export function createSheet(options: SheetOptions): Sheet {
  const size = options.isLandscape ? widePage : page
  const doc = newDocument(options)
  const chunks: Buffer[] = []
  doc.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise<void>((resolve, reject) => {
    doc.on('end', resolve)
    doc.on('error', reject)
  })
  const root = doc.struct('Document')
  doc.addStructure(root)

  const ink = createInk(doc, options.fonts)
  let isStarted = false
  const put = (parent: Element | 'artifact', draw: () => void) => {
    if (parent !== 'artifact') {
      parent.add(draw)
      return
    }
    doc.markContent('Artifact', { type: 'Layout' })
    draw()
    doc.endMarkedContent()
  }
  const sheet: Sheet = {
    root,
    page: size,
    y: firstTop,
    add(parent, type) {
      const element = doc.struct(type, type === 'TH' ? columnScope : {})
      parent.add(element)
      return element
    },
    widthOf: (text, style) => ink.widthOf(ink.known(text, style), style),
    linesOf: (text, style, width) =>
      wrap(ink.known(text, style), width, (line) => ink.widthOf(line, style)),
    write(parent, text, x, y, style) {
      if (text === '') return
      put(parent, () => ink.draw(ink.known(text, style), x, y, style))
    },
    writeRight(parent, text, x, y, style) {
      sheet.write(parent, text, x - sheet.widthOf(text, style), y, style)
    },
    rule(x1, x2, y, colour, thickness) {
      put('artifact', () =>
        doc.lineWidth(thickness).strokeColor(colour).moveTo(x1, y).lineTo(x2, y).stroke(),
      )
    },
    fill(x, y, width, height, colour) {
      put('artifact', () => doc.rect(x, y, width, height).fill(colour))
    },
    image(bytes, x, y, width, height) {
      put('artifact', () => doc.image(Buffer.from(bytes), x, y, { width, height }))
    },
    roomLeft: () => size.bottom - sheet.y,
    turnPage() {
      doc.addPage()
      sheet.y = laterTop
    },
    startDocument(name) {
      if (isStarted) doc.addPage()
      isStarted = true
      sheet.y = firstTop
      doc.outline.addItem(name)
      return doc.bufferedPageRange().count
    },
    async finish(onPage) {
      const { count } = doc.bufferedPageRange()
      for (let index = 0; index < count; index += 1) {
        doc.switchToPage(index)
        onPage(index + 1, count)
      }
      root.end()
      doc.end()
      await ended
      return Buffer.concat(chunks)
    },
  }
  return sheet
}

function newDocument({ title, author, createdAt, language = 'en', isLandscape }: SheetOptions) {
  return new PDFDocument({
    size: 'A4',
    layout: isLandscape ? 'landscape' : 'portrait',
    margin: 0,
    bufferPages: true,
    pdfVersion: '1.7',
    subset: accessible,
    tagged: true,
    lang: language,
    displayTitle: true,
    info: {
      Title: unmarked(title),
      Author: unmarked(author),
      Creator: 'Tillbook',
      CreationDate: createdAt,
    },
  })
}

// The library writes these unescaped into XML, where some characters would be read as markup.
function unmarked(text: string): string {
  return text.replaceAll('&', '\uff06').replaceAll('<', '\u2039').replaceAll('>', '\u203a')
}
