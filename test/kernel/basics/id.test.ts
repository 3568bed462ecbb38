import fc from 'fast-check'
import { expect, it } from 'vitest'
import { systemClock } from '../../../src/kernel/basics/clock.ts'
import { isUuid, systemIds } from '../../../src/kernel/basics/id.ts'
import { manualClock } from '../../support/clock.ts'

it('makes UUIDs of version 7 that begin with the time', () => {
  const clock = manualClock(new Date('2026-03-01T12:00:00.000Z'))
  const id = systemIds(clock).uuid()
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  const milliseconds = Number.parseInt(id.slice(0, 13).replace('-', ''), 16)
  expect(new Date(milliseconds)).toEqual(clock.now())
})

it('makes each id larger than the one before, whatever the clock does', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -5000, max: 5000 }), { minLength: 2 }), (steps) => {
      const clock = manualClock()
      const ids = systemIds(clock)
      let last = ids.uuid()
      for (const step of steps) {
        clock.advance(step)
        const next = ids.uuid()
        expect(next > last).toBe(true)
        last = next
      }
    }),
  )
})

it('keeps the order through more ids than one millisecond has room for', () => {
  const ids = systemIds(manualClock())
  const made = Array.from({ length: 10_000 }, () => ids.uuid())
  expect(made).toEqual([...made].sort())
  expect(new Set(made).size).toBe(made.length)
})

it('makes different ids in two processes at the same moment', () => {
  const [one, two] = [systemIds(systemClock), systemIds(systemClock)]
  const made = Array.from({ length: 2000 }, () => [one.uuid(), two.uuid()]).flat()
  expect(new Set(made).size).toBe(made.length)
})

it('does not let an id be guessed from its neighbour', () => {
  const ids = systemIds(manualClock())
  const tails = Array.from({ length: 1000 }, () => ids.uuid().slice(19))
  expect(new Set(tails).size).toBe(tails.length)
})

it.each([
  ['an id of ours', '01890a5d-ac96-774b-bcce-b302099a8057', true],
  ['capitals', '01890A5D-AC96-774B-BCCE-B302099A8057', true],
  ['any version', '00000000-0000-0000-0000-000000000000', true],
  ['nothing', '', false],
  ['no hyphens', '01890a5dac96774bbcceb302099a8057', false],
  ['braces', '{01890a5d-ac96-774b-bcce-b302099a8057}', false],
  ['a digit too many', '01890a5d-ac96-774b-bcce-b302099a80570', false],
  ['another letter', '01890a5d-ac96-774b-bcce-b302099a805g', false],
  ['a line break', '01890a5d-ac96-774b-bcce-b302099a8057\n', false],
])('says whether a text is a UUID: %s', (_, text, expected) => {
  expect(isUuid(text)).toBe(expected)
})
