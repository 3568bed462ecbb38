// A brand colour and the colours that go with it. Text on the colour is white where that can be
// read, and black otherwise: one of the two always has a contrast of at least 4.5 : 1. The colour
// itself may be too pale or too dark for text on our pages, so text gets a readable shade of it.
// The preview of the settings uses this in the browser.
import { channels, contrastOf } from './contrast.ts'

export const colourPattern = /^#[0-9a-f]{6}$/

// What WCAG 2.2 asks for text (level AA).
const contrastMin = 4.5
const [white, black] = ['#ffffff', '#000000']
// The surfaces of payers' pages that text stands on.
const lightGrounds = [white, '#f4f6f3']
const darkGrounds = ['#1a2221', '#111716']
const shadeSteps = 20

export type BrandColours = {
  readonly colour: string
  // Of text on the colour.
  readonly onColour: string
  readonly contrast: number
  // A shade for text on a light page and on a dark one.
  readonly onLight: string
  readonly onDark: string
}

export function brandColours(colour: string): BrandColours {
  const onColour = contrastOf(colour, white) >= contrastMin ? white : black
  return {
    colour,
    onColour,
    contrast: contrastOf(colour, onColour),
    onLight: readableShade(colour, black, lightGrounds),
    onDark: readableShade(colour, white, darkGrounds),
  }
}

// Said at the field.
export function contrastText(colour: string): string {
  const { onColour, contrast } = brandColours(colour)
  const ratio = Math.floor(contrast * 10) / 10
  return `Text on it is ${onColour === white ? 'white' : 'black'}: contrast ${ratio} : 1.`
}

// The colours as custom properties. The sheet depends on the colour only, so its address can name
// the colour, and the strict policy of the pages needs no exception.
export function brandStyle(colour: string): string {
  const { onColour, onLight, onDark } = brandColours(colour)
  return (
    `:root{--brand:${colour};--on-brand:${onColour};` +
    `--brand-text:light-dark(${onLight},${onDark})}\n`
  )
}

// Raise the number when the sheet changes: browsers keep it for a year.
export function brandStylePath(colour: string): string {
  return `/brand/style/1.${colour.slice(1)}.css`
}

export function parseStyleName(name: string): string | undefined {
  const hex = /\.([0-9a-f]{6})\.css$/.exec(name)?.[1]
  return hex === undefined ? undefined : `#${hex}`
}

// Mixed with black or white in small steps, until it can be read on every ground.
function readableShade(colour: string, towards: string, grounds: readonly string[]): string {
  for (let step = 0; step < shadeSteps; step += 1) {
    const shade = mixed(colour, towards, step / shadeSteps)
    if (grounds.every((ground) => contrastOf(shade, ground) >= contrastMin)) return shade
  }
  return towards
}

function mixed(colour: string, towards: string, share: number): string {
  const parts = channels(towards)
  const mix = channels(colour).map((value, index) =>
    Math.round(value + ((parts[index] ?? 0) - value) * share),
  )
  return `#${mix.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}
