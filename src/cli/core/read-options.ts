// Reads the options that were typed. The messages are our own: Node's are written for programmers
// and take several lines.
import { parseArgs } from 'node:util'
import { type Command, type CommandOptions, UsageError } from './command.ts'

export function readOptions(command: Command, args: readonly string[]): CommandOptions {
  const { options, argument } = command
  const { tokens } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const read: Record<string, string | boolean> = {}
  for (const token of tokens) {
    if (token.kind === 'option') read[token.name] = readValue(command, token)
    if (token.kind !== 'positional') continue
    if (argument === undefined || read[argument] !== undefined) {
      throw new UsageError(`${command.name} does not take ${JSON.stringify(token.value)}`)
    }
    read[argument] = token.value
  }
  return read
}

type OptionToken = {
  readonly name: string
  readonly rawName: string
  readonly value: string | undefined
  readonly inlineValue: boolean | undefined
}

function readValue(command: Command, token: OptionToken): string | boolean {
  const { options } = command
  const { rawName, name, value, inlineValue } = token
  const isKnown = rawName.startsWith('--') && Object.hasOwn(options, name)
  if (!isKnown)
    throw new UsageError(`${command.name} has no option ${rawName}${insteadOf(command)}`)
  if (options[name]?.type === 'boolean') {
    if (value === undefined) return true
    throw new UsageError(`${rawName} takes no value`)
  }
  if (value === undefined) throw new UsageError(`${rawName} needs a value`)
  // Most likely the next option. A negative number is a value; the command checks it.
  if (value.startsWith('-') && !inlineValue && !/^-[.\d]/.test(value)) {
    throw new UsageError(`${rawName} needs a value; if it is ${value}, write ${rawName}=${value}`)
  }
  return value
}

// The options that help lists, without old spellings that still work.
function insteadOf({ usage, options }: Command): string {
  const told = Object.keys(options)
    .map((name) => `--${name}`)
    .filter((name) => usage.some((line) => line.includes(name)))
  return told.length > 0 ? `; it takes ${told.join(', ')}` : ''
}
