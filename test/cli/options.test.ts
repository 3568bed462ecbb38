// Options that all commands share, so that knowing one command helps with the others.
import { expect, it } from 'vitest'
import { commands } from '../../src/cli/command-list.ts'
import { type Command, toJson } from '../../src/cli/core/command.ts'

const takes =
  (option: string) =>
  ({ options }: Command) =>
    Object.hasOwn(options, option)
const saidOf = ({ usage }: Command, option: string) =>
  usage.filter((line) => line.startsWith(`--${option} `))

it.each(commands.filter(takes('business')))('$name means the only business', (command) => {
  expect(saidOf(command, 'business')).toEqual([
    expect.stringMatching(/ {2}(only this business|.+ \(default: the only one\))$/),
  ])
})

it.each(commands.filter(takes('environment')))(
  '$name says the sandbox like all others',
  (command) => {
    expect(takes('test')(command)).toBe(true)
    expect(saidOf(command, 'environment')).toEqual([])
  },
)

const aboutBooks = commands.filter(
  ({ name, options }) => name.startsWith('books ') && Object.keys(options).length > 0,
)

it.each(aboutBooks)('$name takes a business and its sandbox', (command) => {
  expect([takes('business')(command), takes('test')(command)]).toEqual([true, true])
})

it('prints JSON with the names of the interfaces, exact amounts and moments', () => {
  const row = { createdAt: new Date(0), lines: [{ amountMinor: 2n ** 60n, isDemo: false }] }
  expect(JSON.parse(toJson(row))).toEqual({
    created_at: '1970-01-01T00:00:00.000Z',
    lines: [{ amount_minor: '1152921504606846976', is_demo: false }],
  })
})
