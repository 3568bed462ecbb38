// Runs any operation of the books by its name, with its input as JSON. With --email, the operation
// runs as that person, who enters password and code; otherwise it runs as the operator.
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { BooksContext } from '../../../books/context.ts'
import { booksOperations } from '../../../books/operations/all-operations.ts'
import type { Actor } from '../../../kernel/auth/actor.ts'
import { Fault } from '../../../kernel/basics/fault.ts'
import { writeJson } from '../../../kernel/money/exact-number.ts'
import { leaveOutNulls } from '../../../kernel/operations/left-out-nulls.ts'
import type { Operation } from '../../../kernel/operations/operation.ts'
import { inward, outward, outwardFault } from '../../../kernel/operations/outer-names.ts'
import { runOperation } from '../../../kernel/operations/run-operation.ts'
import { idempotencyKeyText } from '../../../kernel/operations/schemas.ts'
import { validated } from '../../../kernel/operations/validate.ts'
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
import { inputText } from '../../core/input-text.ts'
import { findMember } from '../merchant/approval-commands.ts'

type OperationInput = Readonly<Record<string, unknown>>

// These read or write files and have their own commands, or are for the application only.
const fileOperations = [
  ...['import-csv', 'export-journal', 'get-document-file', 'draw-sample-document'],
  ...['get-attachment', 'get-quote-file', 'draw-documents', 'export-documents'],
]

const operations = new Map(
  booksOperations
    .filter(({ name }) => !fileOperations.includes(name))
    .map((operation) => [operation.name, operation]),
)

const keyField = { idempotencyKey: idempotencyKeyText(255).optional() }

// The idempotency key is part of the input here.
function booksInputs(): readonly { name: string; summary: string; input: string }[] {
  return [...operations.values()].map((operation) => {
    const { name, summary } = operation
    return { name, summary, input: inputText(whole(operation)) || 'nothing' }
  })
}

export const showBooksOperations: Command = {
  name: 'books operations',
  summary: 'List the operations of `cli books do`, with their input',
  usage: ['Optional fields are in brackets. See docs/books.md for details.'],
  options: {},
  async run() {
    for (const { name, summary, input } of booksInputs()) {
      print(`${name}: ${summary}`)
      print(`    ${input}`)
    }
    return 0
  },
}

export const doInBooks: Command = {
  name: 'books do',
  summary: 'Run an operation of the books and print its result as JSON',
  argument: 'operation',
  usage: [
    'OPERATION              see `cli books operations`',
    businessUsage,
    '--input JSON           the input; `cli books operations` lists the fields',
    '--input-file PATH      read the input from this file',
    '--email ADDRESS        run as this person (default: the operator)',
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
    const operation = operations.get(name)
    if (!operation) throw new UsageError(`no such operation: ${name}; see \`cli books operations\``)
    const input = await readInput(options)
    const actor = await actorOf(world, options)
    print(indented(await runNamed(operation, world.context, actor, input)))
    return 0
  },
}

// Input, result and errors use the field names of the published interface.
async function runNamed(
  operation: Operation<BooksContext>,
  context: BooksContext,
  actor: Actor,
  given: OperationInput,
): Promise<unknown> {
  const schema = whole(operation)
  const meant = leaveOutNulls(schema, inward(schema, given)) as OperationInput
  const { idempotencyKey, ...input } = meant
  try {
    const options = validated(z.object(keyField), { idempotencyKey })
    return outward(await runOperation(operation, context, actor, input, options))
  } catch (error) {
    throw error instanceof Fault ? outwardFault(error) : error
  }
}

function whole({ input, idempotency }: Operation<BooksContext>): z.ZodType {
  return input instanceof z.ZodObject && idempotency ? input.extend(keyField) : input
}

async function actorOf(world: CommandWorld, options: CommandOptions): Promise<Actor> {
  const tenant = await meantTenant(world.context, options)
  if (options.email === undefined) return { ...tenant, kind: 'system', name: 'cli books do' }
  return { ...(await findMember(world, options)), environment: tenant.environment }
}

async function readInput(options: CommandOptions): Promise<OperationInput> {
  const { input, 'input-file': path } = options
  if (input !== undefined && path !== undefined) {
    throw new UsageError('use --input or --input-file, not both')
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

// Amounts in minor units keep all their digits.
function indented(value: unknown): string {
  return JSON.stringify(JSON.parse(writeJson(value)), null, 2)
}
