// Single lines of text: how wide they are, and putting them on the paper.
import { drawable, type FontName, type Fonts } from './letters.ts'

export type Style = {
  readonly font: FontName
  readonly size: number
  readonly colour: string
  // Between letters, for small labels in capitals.
  readonly spacing?: number
}

export type Ink = {
  // The text with the signs that the font has.
  known(text: string, style: Style): string
  widthOf(known: string, style: Style): number
  // With the beginning of the baseline at x and y.
  draw(known: string, x: number, y: number, style: Style): void
}

export function createInk(doc: PDFKit.PDFDocument, fonts: Fonts): Ink {
  for (const [name, font] of Object.entries(fonts)) {
    // The types do not know yet that a font may be given as it was read.
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
