import fc from 'fast-check'
import { expect, it } from 'vitest'
import { brandColours, contrastText } from '../../../src/kernel/brand/brand-colour.ts'
import { contrastOf } from '../../../src/kernel/brand/contrast.ts'

const colour = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`)

it('text on any colour, and text in any colour, can be read', () => {
  fc.assert(
    fc.property(colour, (one) => {
      const { onColour, onLight, onDark } = brandColours(one)
      expect(contrastOf(one, onColour)).toBeGreaterThanOrEqual(4.5)
      for (const ground of ['#ffffff', '#f4f6f3']) {
        expect(contrastOf(onLight, ground)).toBeGreaterThanOrEqual(4.5)
      }
      for (const ground of ['#1a2221', '#111716']) {
        expect(contrastOf(onDark, ground)).toBeGreaterThanOrEqual(4.5)
      }
    }),
  )
})

it('keeps a colour that can be read as it is', () => {
  expect(brandColours('#0b6e5b')).toMatchObject({ onColour: '#ffffff', onLight: '#0b6e5b' })
  expect(contrastOf('#000000', '#ffffff')).toBe(21)
  expect(contrastText('#ffee00')).toBe('Text on it is black: contrast 17.4 : 1.')
})
