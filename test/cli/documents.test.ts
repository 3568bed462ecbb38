// Documents at the terminal.
import { expect, it, vi } from 'vitest'
import { type Command, type CommandOptions, UsageError } from '../../src/cli/command.ts'
import {
  approveCommand,
  issueCommand,
  pdfCommand,
  sendCommand,
  voidCommand,
} from '../../src/cli/document-commands.ts'
import { readSettings } from '../../src/config.ts'
import { newBooks } from '../support/documents.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()

async function run(command: Command, options: CommandOptions): Promise<string> {
  const printed: Buffer[] = []
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    printed.push(Buffer.from(chunk))
    return true
  })
  const nobody = () => Promise.reject(new Error('nobody is asked'))
  try {
    const { context } = world()
    const commandWorld = { context, settings: readSettings([]), people: nobody, askSecrets: nobody }
    expect(await command.run(commandWorld, options)).toBe(0)
    return Buffer.concat(printed).toString('latin1')
  } finally {
    write.mockRestore()
  }
}

it('an operator issues, sends, prints and voids an invoice, and approves a bill', async () => {
  const books = await newBooks(world())
  const customer = await books.contact({ email: 'ada@example.com' })
  const [invoice, bill] = [
    await books.draft('invoice', { contact_id: customer.id, date: '2026-01-01' }),
    await books.draft('bill', { date: '2026-01-01' }),
  ]
  const of = { business: books.businessId, document: invoice.id }
  expect(await run(issueCommand, of)).toBe('INV-2026-00001: posted\n')
  expect(await run(sendCommand, { ...of, to: 'a@example.com, b@example.com' })).toBe(
    'INV-2026-00001: sent\n',
  )
  expect(await run(pdfCommand, of)).toMatch(/^%PDF-/)
  expect(await run(voidCommand, { ...of, date: '2026-01-02' })).toBe('INV-2026-00001: void\n')
  expect(await run(approveCommand, { ...of, document: bill.id })).toBe(
    'BILL-2026-00001: approved\n',
  )
})

it('names what is wrong with what was typed', async () => {
  const books = await newBooks(world())
  const business = books.businessId
  await expect(run(issueCommand, { business, document: 'INV-1' })).rejects.toThrow(UsageError)
  await expect(run(issueCommand, { business })).rejects.toThrow('--document is missing')
  const nobody = { business, document: world().context.ids.uuid() }
  await expect(run(issueCommand, nobody)).rejects.toThrow('No such document.')
  const { id } = await books.draft()
  await expect(run(voidCommand, { business, document: id, date: 'today' })).rejects.toThrow(
    'Must be a date such as 2030-01-31.',
  )
  // The sandbox has other books.
  await expect(run(issueCommand, { business, document: id, test: true })).rejects.toThrow(
    'No such document.',
  )
})
