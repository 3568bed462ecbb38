// Finds a command and explains it. `cli help keys create`, `cli keys create --help` and `cli help
// keys` all work, without a database.
import { type Command, UsageError } from './command.ts'

// The longest name wins: `businesses create` is not `businesses`.
export function findCommand(
  commands: readonly Command[],
  words: readonly string[],
): Command | undefined {
  const named = commands.filter(({ name }) => `${words.join(' ')} `.startsWith(`${name} `))
  return named.sort((left, right) => right.name.length - left.name.length)[0]
}

export function noSuchCommand(commands: readonly Command[], words: readonly string[]): UsageError {
  const meant = nameIn(words)
  const near = commandsUnder(commands, meant).map(({ name }) => name)
  const instead = near.length > 0 ? `; did you mean ${near.join(', ')}?` : ''
  return new UsageError(`there is no command ${JSON.stringify(meant)}${instead}`)
}

// The words after `help`, or those before `--help`. Undefined if the user did not ask for help.
export function helpAskedFor(
  commands: readonly Command[],
  args: readonly string[],
): string[] | undefined {
  if (args.length === 0) return []
  // A group that is not itself a command lists its commands.
  const isGroup = !findCommand(commands, args) && commandsUnder(commands, args.join(' ')).length > 0
  if (isGroup) return [...args]
  const [first, ...rest] = args
  if (first === 'help') return rest.filter((word) => word !== '--help')
  return args.includes('--help') ? args.filter((word) => word !== '--help') : undefined
}

export function help(commands: readonly Command[], words: readonly string[]): string[] {
  const command = findCommand(commands, words)
  if (command) {
    const argument = command.argument === undefined ? '' : ` <${command.argument}>`
    const options = command.usage.length > 0 ? ' [options]' : ''
    return [
      `Usage: npm run cli -- ${command.name}${argument}${options}`,
      '',
      `  ${command.summary}.`,
      ...(command.usage.length > 0 ? [''] : []),
      ...command.usage.map((line) => `  ${line}`.trimEnd()),
      ...alsoThere(commands, command),
    ]
  }
  const meant = nameIn(words)
  const shown = meant === '' ? commands : commandsUnder(commands, meant)
  if (shown.length === 0) throw noSuchCommand(commands, words)
  const width = Math.max(...shown.map(({ name }) => name.length))
  return [
    'Usage: npm run cli -- <command> [options]',
    '',
    ...shown.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    '`npm run cli -- help <command>` shows the options of a command.',
  ]
}

// A command can also be a group: `businesses` lists them, `businesses create` creates one.
function alsoThere(commands: readonly Command[], { name: group }: Command): string[] {
  const names = commandsUnder(commands, group).map(({ name }) => name)
  return names.length > 0 ? ['', `See also ${names.join(', ')}.`] : []
}

function commandsUnder(commands: readonly Command[], group: string): Command[] {
  return group === '' ? [] : commands.filter(({ name }) => name.startsWith(`${group} `))
}

function nameIn(words: readonly string[]): string {
  const end = words.findIndex((word) => word.startsWith('-'))
  return words.slice(0, end < 0 ? undefined : end).join(' ')
}
