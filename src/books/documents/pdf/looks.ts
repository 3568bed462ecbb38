// The colours and text styles of a document. The brand of the organisation replaces our accent.
import { brandColours } from '../../../kernel/brand/brand-colour.ts'
import type { DocumentSnapshot } from '../document-snapshot.ts'
import type { Style } from './ink.ts'

export const colours = {
  ink: '#131a26',
  grey: '#586274',
  line: '#d9dee7',
  warning: '#b3261e',
} as const

type Accents = {
  // Across the top of every page.
  readonly bar: string
  // Of the amount due, readable on the tint.
  readonly accent: string
  readonly tint: string
}

const ownAccents: Accents = { bar: '#1d3f8f', accent: '#1d3f8f', tint: '#eef2fb' }

export function accentsOf({ brand }: Pick<DocumentSnapshot, 'brand'>): Accents {
  if (!brand?.colour) return ownAccents
  const { colour, onLight } = brandColours(brand.colour)
  return { bar: colour, accent: onLight, tint: '#f4f6f3' }
}

export const body: Style = { font: 'regular', size: 9, colour: colours.ink }
export const quiet: Style = { ...body, colour: colours.grey }
export const strong: Style = { ...body, font: 'strong' }
export const label: Style = { font: 'strong', size: 7.2, colour: colours.grey, spacing: 0.3 }
export const lineHeight = 13
