// The commands for operators and developers: `npm run cli -- <command>`. They work beside the
// running service, on the same database.
import { parseArgs } from 'node:util'
import { ConfigError, configurationErrorStatus, readSettings } from '../config.ts'
import { createPeople } from '../kernel/auth/people.ts'
import { createSecrets } from '../kernel/auth/secrets.ts'
import { systemClock } from '../kernel/basics/clock.ts'
import { Fault } from '../kernel/basics/fault.ts'
import { systemIds } from '../kernel/basics/id.ts'
import { createLog } from '../kernel/basics/log.ts'
import { StartError } from '../kernel/basics/start-error.ts'
import { connectToRunning, publicUrlOfRunning } from '../open-storage.ts'
import { loadSecretsRing } from '../secrets-file.ts'
import {
  approveApproval,
  rejectApproval,
  setApprovalThreshold,
  showApprovals,
} from './approval-commands.ts'
import { askSecrets } from './ask.ts'
import { type Command, print, UsageError } from './command.ts'
import { createKey, listKeys, revokeKey, rotateKey } from './key-commands.ts'
import { makeDemo, runMigrations, showBusinesses, verify } from './operator-commands.ts'

const commands: readonly Command[] = [
  showBusinesses,
  createKey,
  listKeys,
  rotateKey,
  revokeKey,
  showApprovals,
  approveApproval,
  rejectApproval,
  setApprovalThreshold,
  makeDemo,
  runMigrations,
  verify,
]

const usageStatus = 64

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  const message = expectedMessage(error)
  if (message === undefined) throw error
  process.stderr.write(`${message}\n`)
  process.exitCode =
    error instanceof ConfigError
      ? configurationErrorStatus
      : error instanceof UsageError
        ? usageStatus
        : 1
}

async function main(args: string[]): Promise<number> {
  const command = commands.find(({ name }) => {
    const words = name.split(' ')
    return words.every((word, index) => args[index] === word)
  })
  if (!command || args.includes('--help')) {
    for (const line of help(command)) print(line)
    return command || args.length === 0 || args.includes('--help') ? 0 : usageStatus
  }
  const options = readOptions(command, args.slice(command.name.split(' ').length))
  const settings = readSettings([])
  const database = connectToRunning(settings)
  try {
    const ids = systemIds(systemClock)
    const context = {
      clock: systemClock,
      ids,
      log: createLog('warn'),
      database,
      secrets: createSecrets(settings.secretsRing ?? loadSecretsRing(settings.dataDir, ids)),
      publicUrl: publicUrlOfRunning(settings),
    }
    const people = () => createPeople(context, context)
    return await command.run({ context, settings, people, askSecrets }, options)
  } finally {
    await database.close()
  }
}

function readOptions(command: Command, args: string[]) {
  try {
    const { values } = parseArgs({ args, options: command.options, strict: true })
    return values as Record<string, string | boolean | undefined>
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function help(command: Command | undefined): string[] {
  if (command) {
    return [`cli ${command.name}: ${command.summary}`, ...command.usage.map((line) => `  ${line}`)]
  }
  return [
    'Usage: npm run cli -- <command> [options]   (add --help to a command for its options)',
    '',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(17)} ${summary}`),
  ]
}

// What the person can mend is told in a line; everything else is a bug and keeps its stack.
function expectedMessage(error: unknown): string | undefined {
  if (error instanceof ConfigError) return error.problems.join('\n')
  if (error instanceof UsageError) return `${error.message} (add --help for the options)`
  if (error instanceof StartError) return error.message
  if (!(error instanceof Fault)) return undefined
  if (typeof error.error === 'string') return error.error
  const { formErrors, fieldErrors } = error.error
  const fields = Object.entries(fieldErrors).map(
    ([name, messages]) => `${name}: ${messages.join(' ')}`,
  )
  return [...formErrors, ...fields].join('\n')
}
