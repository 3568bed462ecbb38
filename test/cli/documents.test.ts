// The PDF of a document at the terminal.

import { expect, it, vi } from 'vitest'
import { issueDocument } from '../../src/books/documents/issue-document.ts'
import { pdfCommand } from '../../src/cli/commands/books/document-commands.ts'
import { type CommandOptions, UsageError } from '../../src/cli/core/command.ts'
import { readSettings } from '../../src/config.ts'
import { runOperation } from '../../src/kernel/operations/run-operation.ts'
import { newBooks } from '../support/documents.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()

async function run(options: CommandOptions): Promise<string> {
  const printed: Buffer[] = []
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    printed.push(Buffer.from(chunk))
    return true
  })
  const refuse = () => Promise.reject(new Error('no one is asked'))
  try {
    const { context } = world()
    const commandWorld = { context, settings: readSettings([]), people: refuse, askSecrets: refuse }
    expect(await pdfCommand.run(commandWorld, options)).toBe(0)
    return Buffer.concat(printed).toString('latin1')
  } finally {
    write.mockRestore()
  }
}

it('an operator writes the PDF of an invoice', async () => {
  const books = await newBooks(world())
  const { id } = await books.draft()
  await runOperation(issueDocument, world().context, books.owner, { id })
  const of = { business: books.businessId, document: id }
  expect(await run(of)).toMatch(/^%PDF-/)
  expect(await run(of)).toBe(await run(of))
})

it('names what is wrong with what was typed', async () => {
  const books = await newBooks(world())
  const business = books.businessId
  await expect(run({ business, document: 'INV-1' })).rejects.toThrow(UsageError)
  await expect(run({ business })).rejects.toThrow('--document is missing')
  const unknown = { business, document: world().context.ids.uuid() }
  await expect(run(unknown)).rejects.toThrow('No such document.')
  const { id } = await books.draft()
  // The sandbox has other books.
  await expect(run({ business, document: id, test: true })).rejects.toThrow('No such document.')
})
