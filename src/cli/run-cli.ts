// Runs one command and returns its exit status. Commands run beside the service, on the same
// database.
import { ConfigError, configurationErrorStatus, type Settings } from '../config.ts'
import { createPeople } from '../kernel/auth/people.ts'
import { createSecrets, SecretsError } from '../kernel/auth/secrets.ts'
import { systemClock } from '../kernel/basics/clock.ts'
import { createFailpoint } from '../kernel/basics/failpoint.ts'
import { Fault } from '../kernel/basics/fault.ts'
import { systemIds } from '../kernel/basics/id.ts'
import { createLog } from '../kernel/basics/log.ts'
import { StartError } from '../kernel/basics/start-error.ts'
import { isDatabaseUnavailable, sqlState } from '../kernel/db/database-errors.ts'
import { openEgress } from '../start/open-egress.ts'
import {
  assertUsable,
  checkSecrets,
  connectToRunning,
  publicUrlOfRunning,
} from '../start/open-storage.ts'
import { loadSecretsRing } from '../start/secrets-file.ts'
import { withProviders } from '../start/start-simulator.ts'
import { commands } from './command-list.ts'
import { runMigrations } from './commands/operator/operator-commands.ts'
import { askSecrets } from './core/ask.ts'
import { print, UsageError } from './core/command.ts'
import { faultText } from './core/fault-text.ts'
import { findCommand, help, helpAskedFor, noSuchCommand } from './core/help.ts'
import { readOptions } from './core/read-options.ts'

const usageStatus = 64
// A schema, table or column that does not exist.
const missingStates = new Set(['3F000', '42P01', '42703'])

export async function runCli(args: string[], readSettings: () => Settings): Promise<number> {
  try {
    return await run(args, readSettings)
  } catch (error) {
    const message = expectedMessage(error)
    if (message === undefined) throw error
    process.stderr.write(`${message}\n`)
    if (error instanceof ConfigError) return configurationErrorStatus
    return error instanceof UsageError ? usageStatus : 1
  }
}

async function run(args: string[], readSettings: () => Settings): Promise<number> {
  const asked = helpAskedFor(commands, args)
  if (asked) {
    for (const line of help(commands, asked)) print(line)
    return 0
  }
  const command = findCommand(commands, args)
  if (!command) throw noSuchCommand(commands, args)
  const options = readOptions(command, args.slice(command.name.split(' ').length))
  const settings = readSettings()
  const egress = openEgress(settings)
  const database = connectToRunning(settings)
  try {
    const ids = systemIds(systemClock)
    const base = {
      clock: systemClock,
      ids,
      // Logs errors only, to standard error; standard output is for the result.
      log: createLog('error', process.stderr),
      database,
      failpoint: createFailpoint(settings.failpoint),
      secrets: createSecrets(settings.secretsRing ?? loadSecretsRing(settings.dataDir, ids)),
      egress,
      publicUrl: publicUrlOfRunning(settings),
    }
    const { flutterwave } = settings
    const context = withProviders(base, undefined, { flutterwave, simulatorServesLive: false })
    await assertUsable(database)
    // The check needs a table that the migrations create.
    if (command !== runMigrations) await checkSecrets(database, context.secrets)
    const people = () => createPeople(context, context)
    return await command.run({ context, settings, people, askSecrets }, options)
  } finally {
    // Open connections would keep the process running.
    egress.close()
    await database.close()
  }
}

// Mistakes that the person can fix get one line. Everything else is a bug and keeps its stack.
function expectedMessage(error: unknown): string | undefined {
  if (error instanceof ConfigError) return error.problems.join('\n')
  if (error instanceof UsageError) return `${error.message} (see \`cli help\`)`
  if (error instanceof StartError) return error.message
  if (error instanceof SecretsError) return `SECRETS_KEY is wrong: ${error.message}`
  if (isDatabaseUnavailable(error))
    return `lost the connection to the database: ${(error as Error).message}`
  if (missingStates.has(sqlState(error) ?? '')) {
    return 'the database is not up to date; run `cli migrate`'
  }
  return error instanceof Fault ? faultText(error) : undefined
}
