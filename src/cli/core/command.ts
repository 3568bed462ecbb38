// A command of the CLI is a value, like a route: its usage text and what it does.
import type { ParseArgsOptionsConfig } from 'node:util'
import type { Settings } from '../../config.ts'
import type { People } from '../../kernel/auth/people.ts'
import { normaliseEmail } from '../../kernel/auth/person.ts'
import { isOneLine, withoutDirectionMarks } from '../../kernel/basics/one-line.ts'
import { outward } from '../../kernel/operations/outer-names.ts'
import type { MerchantContext } from '../../merchant/context.ts'

export type CommandOptions = Readonly<Record<string, string | boolean | undefined>>

export type CommandWorld = {
  // The providers of live keys are those of the service; the simulator runs in the service alone.
  readonly context: MerchantContext
  readonly settings: Settings
  people(): Promise<People>
  // Asks for what must not be seen, one answer a question.
  askSecrets(questions: readonly string[]): Promise<string[]>
}

export type Command = {
  // As typed, for example `keys create`.
  readonly name: string
  readonly summary: string
  // What is given without a name, for example the event of `trigger`; it arrives as an option.
  readonly argument?: string
  // One line an option: its form and what it is for.
  readonly usage: readonly string[]
  readonly options: ParseArgsOptionsConfig
  // Returns the exit status.
  run(world: CommandWorld, options: CommandOptions): Promise<number>
}

// How options that several commands share are explained.
export const businessUsage = '--business ID          the business (default: the only one)'
export const testUsage = '--test                 the sandbox instead of live'
export const jsonUsage = '--json                 print JSON'

// What the person typed cannot be carried out; the message says what to type instead.
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export function requiredOption(options: CommandOptions, name: string): string {
  const value = options[name]
  if (typeof value !== 'string' || value.trim() === '') {
    throw new UsageError(`--${name} is missing`)
  }
  return value.trim()
}

export function emailOption(options: CommandOptions, name: string): string {
  const email = normaliseEmail(requiredOption(options, name))
  if (!email) throw new UsageError(`--${name} must be an e-mail address`)
  return email
}

export function lineOption(options: CommandOptions, name: string, max: number): string {
  const text = withoutDirectionMarks(requiredOption(options, name))
  if ([...text].length > max || !isOneLine(text)) {
    throw new UsageError(`--${name} must be one line of at most ${max} characters`)
  }
  return text
}

export function listOption(options: CommandOptions, name: string): string[] {
  const value = options[name]
  if (typeof value !== 'string') return []
  return value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
}

export function print(line = ''): void {
  process.stdout.write(`${line}\n`)
}

export function printJson(value: unknown): void {
  print(toJson(value, 2))
}

// With the names of the interfaces, `created_at`. Amounts are text: JSON has no number that is wide
// enough for all of them.
export function toJson(value: unknown, indent?: number): string {
  return JSON.stringify(outward(value), bigintAsText, indent)
}

function bigintAsText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}
