// A command of the CLI is a value, like a route: its name, its usage text and what it does.
import type { ParseArgsOptionsConfig } from 'node:util'
import type { Settings } from '../../config.ts'
import type { People } from '../../kernel/auth/people.ts'
import { normaliseEmail } from '../../kernel/auth/person.ts'
import { isOneLine, withoutDirectionMarks } from '../../kernel/basics/one-line.ts'
import { outward } from '../../kernel/operations/outer-names.ts'
import type { MerchantContext } from '../../merchant/context.ts'

export type CommandOptions = Readonly<Record<string, string | boolean | undefined>>

export type CommandWorld = {
  // Live keys use the same provider as the service. The simulator runs only in the service.
  readonly context: MerchantContext
  readonly settings: Settings
  people(): Promise<People>
  // Asks for secrets, one answer per question.
  askSecrets(questions: readonly string[]): Promise<string[]>
}

export type Command = {
  // As typed, such as `keys create`.
  readonly name: string
  readonly summary: string
  // The positional argument, such as the event of `trigger`. It arrives as an option.
  readonly argument?: string
  // One line per option: its form and its purpose.
  readonly usage: readonly string[]
  readonly options: ParseArgsOptionsConfig
  // Returns the exit status.
  run(world: CommandWorld, options: CommandOptions): Promise<number>
}

// Usage lines of options that several commands share.
export const businessUsage = '--business ID          the business (default: the only one)'
export const testUsage = '--test                 the sandbox instead of live'
export const jsonUsage = '--json                 print JSON'

// The person typed something wrong. The message says what to type instead.
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

// Whether a person reads what is printed, not a file or another program.
export function isTerminal(): boolean {
  return process.stdout.isTTY === true
}

export function print(line = ''): void {
  process.stdout.write(`${line}\n`)
}

export function printJson(value: unknown): void {
  print(toJson(value, 2))
}

// Uses the field names of the interfaces, such as `created_at`. Amounts are strings, because JSON
// numbers can't hold all of them exactly.
export function toJson(value: unknown, indent?: number): string {
  return JSON.stringify(outward(value), bigintAsText, indent)
}

function bigintAsText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}
