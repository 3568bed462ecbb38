// Whatever people do and read in the books, at the terminal: an operation by its name, its input as
// JSON. With an address that person does it, and gives password and code; without, the operator.
import { readFile } from 'node:fs/promises'
import { booksOperations } from '../../../books/operations/all-operations.ts'
import {
  type BooksOperation,
  inputText,
  type OperationInput,
} from '../../../books/operations/operation.ts'
import type { Actor } from '../../../kernel/auth/actor.ts'
import { writeJson } from '../../../kernel/money/exact-number.ts'
import { meantTenant } from '../../core/choose-business.ts'
import {
  businessUsage,
  type Command,
  type CommandOptions,
  type CommandWorld,
  print,
  requiredOption,
  testUsage,
  UsageError,
} from '../../core/command.ts'
import { findMember } from '../merchant/approval-commands.ts'

const operations: Readonly<Record<string, BooksOperation>> = booksOperations

export const showBooksOperations: Command = {
  name: 'books operations',
  summary: 'List what `cli books do` can do, and what each is told',
  usage: ['What may be left out is in brackets; docs/books.md tells the rest.'],
  options: {},
  async run() {
    for (const [name, { summary, input }] of Object.entries(operations)) {
      print(`${name}: ${summary}`)
      print(`    ${inputText(input) || 'nothing'}`)
    }
    return 0
  },
}

export const doInBooks: Command = {
  name: 'books do',
  summary: 'Do something in the books, and print the outcome as JSON',
  argument: 'operation',
  usage: [
    'OPERATION              see `cli books operations`',
    businessUsage,
    '--input JSON           what it is told; `cli books operations` has the fields',
    '--input-file PATH      the same from a file',
    '--email ADDRESS        who does it (default: the operator)',
    testUsage,
  ],
  options: {
    business: { type: 'string' },
    input: { type: 'string' },
    'input-file': { type: 'string' },
    email: { type: 'string' },
    test: { type: 'boolean' },
  },
  async run(world, options) {
    const name = requiredOption(options, 'operation')
    const operation = Object.hasOwn(operations, name) ? operations[name] : undefined
    if (!operation) throw new UsageError(`no such operation: ${name}; see \`cli books operations\``)
    const input = await readInput(options)
    const actor = await actorOf(world, options)
    const outcome = await operation.run(world.context, actor, input)
    print(outcome === undefined ? 'Done.' : indented(outcome))
    return 0
  },
}

async function actorOf(world: CommandWorld, options: CommandOptions): Promise<Actor> {
  const tenant = await meantTenant(world.context, options)
  if (options.email === undefined) return { ...tenant, kind: 'system', name: 'cli books do' }
  return { ...(await findMember(world, options)), environment: tenant.environment }
}

async function readInput(options: CommandOptions): Promise<OperationInput> {
  const { input, 'input-file': path } = options
  if (input !== undefined && path !== undefined) {
    throw new UsageError('give --input or --input-file, not both')
  }
  const text = typeof path === 'string' ? await readFile(path, 'utf8') : String(input ?? '{}')
  const value = parse(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as OperationInput
  }
  throw new UsageError('the input must be a JSON object, like {"id": "..."}')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new UsageError(`the input is not JSON: ${error.message}`)
  }
}

// Exact: amounts in minor units are written with all their digits.
function indented(value: unknown): string {
  return JSON.stringify(JSON.parse(writeJson(value)), null, 2)
}
