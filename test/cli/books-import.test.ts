// Importing at the terminal.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { importBooks } from '../../src/cli/commands/books/import-commands.ts'
import { type CommandOptions, UsageError } from '../../src/cli/core/command.ts'
import { readSettings } from '../../src/config.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
let folder: string
let business: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillbook-import-'))
  business = await world().business()
})
afterAll(() => rm(folder, { recursive: true }))

async function run(options: CommandOptions, text = 'name\nAda\n') {
  const file = join(folder, 'file.csv')
  await writeFile(file, text)
  const printed: string[] = []
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    printed.push(String(chunk))
    return true
  })
  try {
    const settings = readSettings([])
    const people = () => Promise.reject(new Error('no one is asked for'))
    const commandWorld = { context: world().context, settings, people, askSecrets: async () => [] }
    const status = await importBooks.run(commandWorld, {
      business,
      what: 'contacts',
      file,
      ...options,
    })
    return { status, text: printed.join('') }
  } finally {
    write.mockRestore()
  }
}

it('says what it would make, then makes it, then refuses to make it again', async () => {
  expect(await run({ 'dry-run': true })).toEqual({
    status: 0,
    text: 'Would create 1 from 1 row. Nothing was saved.\n',
  })
  expect(await run({})).toEqual({ status: 0, text: 'Created 1 from 1 row.\n' })
  expect(await run({})).toEqual({
    status: 1,
    text:
      'row 2, name: There is already a contact named Ada.\n' +
      'Nothing was saved. Problems found: 1.\n',
  })
})

it('prints JSON for programs', async () => {
  const { text } = await run({ json: true }, 'name\nBea\n')
  expect(JSON.parse(text)).toEqual({ rows: 1, made: 1, problems: [], is_kept: true })
})

it('says what was typed wrongly', async () => {
  await expect(run({ what: 'cats' })).rejects.toThrow(UsageError)
  await expect(run({ file: join(folder, 'none.csv') })).rejects.toThrow('cannot be read')
})
