// Text as the embedded fonts can show it, and its line breaks. A character that the font lacks
// becomes a box, so that a name is visibly incomplete and never silently shorter. No input can
// prevent a document from being drawn.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { create, type Font } from 'fontkit'

export type FontName = 'regular' | 'strong'

export type Fonts = Readonly<Record<FontName, Font>>

const files: Readonly<Record<FontName, string>> = {
  regular: '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf',
  strong: '@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf',
}

const missingSign = '\u25a1'

export async function loadFonts(): Promise<Fonts> {
  const [regular, strong] = await Promise.all([loadFont('regular'), loadFont('strong')])
  return { regular, strong }
}

async function loadFont(name: FontName): Promise<Font> {
  const path = createRequire(import.meta.url).resolve(files[name])
  // A single font, not a collection.
  const font = create(await readFile(path)) as Font
  const layout = font.layout.bind(font)
  // Set here and not per text: without explicit features the library caches words, and shaping them
  // takes most of the time.
  font.layout = (word: string) => layout(word, featuresFor(word))
  return font
}

// Figures have one width, so that columns align. No ligatures: `2x4` must stay as typed.
function featuresFor(word: string): Record<string, boolean> {
  return { calt: false, tnum: /^[-\d.,]+%?$/.test(word.trim()) }
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

// Invisible characters: joiners, direction marks and soft hyphens.
const unseen = /\p{Cf}|\p{Variation_Selector}/gu

// Line feeds stay. Other white space becomes a space.
export function drawable(font: Font, text: string): string {
  if (/^[ -~\n]*$/.test(text)) return text
  const plain = text
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll('\u202f', '\u00a0')
    .replaceAll(/[^\S\n\u00a0]/g, ' ')
  let result = ''
  for (const { segment } of graphemes.segment(plain)) {
    const seen = segment.replaceAll(unseen, '')
    const isKnown = [...seen].every((sign) => sign === '\n' || hasSign(font, sign))
    result += isKnown ? seen : missingSign
  }
  return result
}

// Fonts have an empty glyph for control characters, which would hide them.
function hasSign(font: Font, sign: string): boolean {
  return !/\p{Cc}/u.test(sign) && font.hasGlyphForCodePoint(sign.codePointAt(0) ?? 0)
}

// Breaks at spaces, and inside a word only if it is wider than a line.
export function wrap(text: string, width: number, widthOf: (text: string) => number): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = []
    let line = ''
    for (const word of paragraph.split(' ').filter((part) => part !== '')) {
      const longer = line === '' ? word : `${line} ${word}`
      if (widthOf(longer) <= width) {
        line = longer
        continue
      }
      if (line !== '') lines.push(line)
      const pieces = piecesOf(word, width, widthOf)
      lines.push(...pieces.slice(0, -1))
      line = pieces.at(-1) ?? ''
    }
    return [...lines, line]
  })
}

function piecesOf(word: string, width: number, widthOf: (text: string) => number): string[] {
  if (widthOf(word) <= width) return [word]
  const pieces: string[] = []
  let piece = ''
  for (const { segment } of graphemes.segment(word)) {
    if (piece !== '' && widthOf(piece + segment) > width) {
      pieces.push(piece)
      piece = ''
    }
    piece += segment
  }
  return [...pieces, piece]
}
