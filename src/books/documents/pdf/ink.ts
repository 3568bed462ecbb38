// Single lines of text: their width, and drawing them.
import { drawable, type FontName, type Fonts } from './letters.ts'

export type Style = {
  readonly font: FontName
  readonly size: number
  readonly colour: string
  // Between letters, for small labels in capitals.
  readonly spacing?: number
}

export type Ink = {
  // The text with the characters that the font has.
  known(text: string, style: Style): string
  widthOf(known: string, style: Style): number
  // With the start of the baseline at x and y.
  draw(known: string, x: number, y: number, style: Style): void
}

export function createInk(doc: PDFKit.PDFDocument, fonts: Fonts): Ink {
  for (const [name, font] of Object.entries(fonts)) {
    // The type declarations don't know yet that a parsed font is accepted.
    doc.registerFont(name, font as unknown as string)
  }
  const use = ({ font, size, colour }: Style) => doc.font(font).fontSize(size).fillColor(colour)
  return {
    known: (text, { font }) => drawable(fonts[font], text),
    widthOf: (known, style) => use(style).widthOfString(known, optionsFor(style)),
    draw(known, x, y, style) {
      use(style).text(known, x, y, optionsFor(style))
    },
  }
}

function optionsFor({ spacing }: Style): PDFKit.Mixins.TextOptions {
  return {
    lineBreak: false,
    baseline: 'alphabetic',
    ...(spacing !== undefined && { characterSpacing: spacing }),
  }
}
