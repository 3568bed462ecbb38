import { expect, it } from 'vitest'
import { readLogo } from '../../../src/kernel/brand/logo-image.ts'
import { jpeg, jpegPart, png, pngPart } from '../../support/images.ts'

const script = Buffer.from('<script>alert(1)</script>')

it('keeps the picture of a PNG and nothing that is hidden in it', () => {
  const image = readLogo(Buffer.concat([png({}, [pngPart('tEXt', script)]), script]))
  expect(image).toMatchObject({ contentType: 'image/png', width: 32, height: 32 })
  const { bytes } = image as { bytes: Buffer }
  expect(bytes.includes('script')).toBe(false)
  expect(readLogo(bytes)).toEqual(image)
})

it('keeps the picture of a JPEG and nothing that is hidden in it', () => {
  const hidden = [jpegPart(0xe1, script), jpegPart(0xfe, script)]
  const image = readLogo(Buffer.concat([jpeg(hidden), script]))
  expect(image).toMatchObject({ contentType: 'image/jpeg', width: 40, height: 30 })
  const { bytes } = image as { bytes: Buffer }
  expect(bytes.includes('script')).toBe(false)
  expect(bytes).toEqual(jpeg())
})

it.each([
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'PNG or JPEG'],
  ['nothing', Buffer.alloc(0), 'PNG or JPEG'],
  ['a large file', Buffer.concat([png(), Buffer.alloc(600_000)]), 'at most 512 kB'],
  ['a PNG that is cut off', png().subarray(0, 60), 'damaged'],
  ['a PNG with a changed byte', png().fill(7, 18, 19), 'damaged'],
  ['too few pixels', png({ pixels: Buffer.alloc(100) }), 'damaged'],
  ['more pixels than the header says', png({ pixels: Buffer.alloc(1_000_000) }), 'damaged'],
  ['a huge PNG', png({ width: 30_000, height: 2, pixels: Buffer.alloc(1) }), '2000 pixels'],
  ['a tiny PNG', png({ width: 4, height: 4 }), 'at least 16 pixels'],
  ['a huge JPEG', jpeg([], 30_000), '2000 pixels'],
  ['a JPEG that is cut off', jpeg().subarray(0, -6), 'damaged'],
  ['an unusual JPEG', jpeg([jpegPart(0xc9, Buffer.alloc(9))]), 'not supported'],
])('refuses %s', (_what, bytes, problem) => {
  expect(readLogo(bytes)).toEqual({ problem: expect.stringContaining(problem) })
})
