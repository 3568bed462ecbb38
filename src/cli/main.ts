// The commands for operators and developers: `npm run cli -- <command>`. They work beside the
// running service, on the same database.
import { ConfigError, configurationErrorStatus, readSettings } from '../config.ts'
import { createPeople } from '../kernel/auth/people.ts'
import { createSecrets, SecretsError } from '../kernel/auth/secrets.ts'
import { systemClock } from '../kernel/basics/clock.ts'
import { createFailpoint } from '../kernel/basics/failpoint.ts'
import { Fault } from '../kernel/basics/fault.ts'
import { systemIds } from '../kernel/basics/id.ts'
import { createLog } from '../kernel/basics/log.ts'
import { StartError } from '../kernel/basics/start-error.ts'
import { isDatabaseUnavailable, sqlState } from '../kernel/db/database.ts'
import { openEgress } from '../start/open-egress.ts'
import {
  assertUsable,
  checkSecrets,
  connectToRunning,
  publicUrlOfRunning,
} from '../start/open-storage.ts'
import { loadSecretsRing } from '../start/secrets-file.ts'
import {
  exportBooks,
  lockBooks,
  setBooks,
  setNumbers,
  showBooks,
  verifyBooks,
} from './commands/books/books-commands.ts'
import { doInBooks, showBooksOperations } from './commands/books/books-operation-commands.ts'
import { pdfCommand } from './commands/books/document-commands.ts'
import { importBooks } from './commands/books/import-commands.ts'
import {
  approveApproval,
  rejectApproval,
  showApprovals,
  withdrawOwnApproval,
} from './commands/merchant/approval-commands.ts'
import {
  explainBalance,
  returnFromWallet,
  showBalances,
} from './commands/merchant/balance-commands.ts'
import {
  resolveDiscrepancyCommand,
  showDiscrepancies,
} from './commands/merchant/discrepancy-commands.ts'
import { setFee, showFees } from './commands/merchant/fee-commands.ts'
import { showOutcomes } from './commands/merchant/outcome-commands.ts'
import { decideUnclearRefund } from './commands/merchant/refund-commands.ts'
import { setPayoutDestination } from './commands/merchant/settlement-account-commands.ts'
import {
  createNewPlan,
  createNewSubscription,
  endSubscription,
  showPlans,
  showSubscriptions,
} from './commands/merchant/subscription-commands.ts'
import { setApprovalThreshold, showThresholds } from './commands/merchant/threshold-commands.ts'
import { verifyBusiness } from './commands/merchant/verification-commands.ts'
import { createNewBusiness, showBusinesses } from './commands/operator/business-commands.ts'
import { retryMail, showMail, showMails } from './commands/operator/mail-commands.ts'
import {
  makeDemo,
  resealSecretsCommand,
  runMigrations,
  verify,
} from './commands/operator/operator-commands.ts'
import { beginPause, endPause, showPauses } from './commands/operator/pause-commands.ts'
import { createKey, listKeys, revokeKey, rotateKey } from './commands/people/key-commands.ts'
import { addPerson } from './commands/people/people-commands.ts'
import {
  createWebhookCommand,
  deleteWebhookCommand,
  pingWebhook,
  promoteWebhookSecret,
  rotateWebhookSecret,
  showWebhooks,
  switchOnWebhook,
  updateWebhookCommand,
} from './commands/webhooks/webhook-commands.ts'
import {
  redriveWebhooks,
  replayWebhooks,
  retryWebhook,
  showDeliveries,
} from './commands/webhooks/webhook-delivery-commands.ts'
import { askSecrets } from './core/ask.ts'
import { type Command, print, UsageError } from './core/command.ts'
import { faultText } from './core/fault-text.ts'
import { findCommand, help, helpAskedFor, noSuchCommand } from './core/help.ts'
import { readOptions } from './core/read-options.ts'
import { listen } from './listen/listen-command.ts'
import { trigger } from './trigger/trigger-command.ts'

const commands: readonly Command[] = [
  showBusinesses,
  createNewBusiness,
  verifyBusiness,
  addPerson,
  createKey,
  listKeys,
  rotateKey,
  revokeKey,
  showApprovals,
  approveApproval,
  rejectApproval,
  withdrawOwnApproval,
  showThresholds,
  setApprovalThreshold,
  showDiscrepancies,
  resolveDiscrepancyCommand,
  decideUnclearRefund,
  showOutcomes,
  showFees,
  setFee,
  showBalances,
  explainBalance,
  returnFromWallet,
  setPayoutDestination,
  showPlans,
  createNewPlan,
  showSubscriptions,
  createNewSubscription,
  endSubscription,
  showBooks,
  setBooks,
  lockBooks,
  setNumbers,
  exportBooks,
  verifyBooks,
  pdfCommand,
  beginPause,
  showPauses,
  endPause,
  showWebhooks,
  createWebhookCommand,
  updateWebhookCommand,
  deleteWebhookCommand,
  switchOnWebhook,
  pingWebhook,
  rotateWebhookSecret,
  promoteWebhookSecret,
  showDeliveries,
  retryWebhook,
  replayWebhooks,
  redriveWebhooks,
  importBooks,
  showBooksOperations,
  doInBooks,
  showMails,
  showMail,
  retryMail,
  listen,
  trigger,
  makeDemo,
  runMigrations,
  resealSecretsCommand,
  verify,
]

const usageStatus = 64
// A schema, a table or a column does not exist.
const missingStates = new Set(['3F000', '42P01', '42703'])

// Whoever read has enough, as `head` does; that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})

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
  const asked = helpAskedFor(commands, args)
  if (asked) {
    for (const line of help(commands, asked)) print(line)
    return 0
  }
  const command = findCommand(commands, args)
  if (!command) throw noSuchCommand(commands, args)
  const options = readOptions(command, args.slice(command.name.split(' ').length))
  const settings = readSettings([])
  const egress = openEgress(settings)
  const database = connectToRunning(settings)
  try {
    const ids = systemIds(systemClock)
    const context = {
      clock: systemClock,
      ids,
      // Beside the answer, and only what the answer does not say.
      log: createLog('error', process.stderr),
      database,
      failpoint: createFailpoint(settings.failpoint),
      secrets: createSecrets(settings.secretsRing ?? loadSecretsRing(settings.dataDir, ids)),
      egress,
      publicUrl: publicUrlOfRunning(settings),
    }
    await assertUsable(database)
    // What the key is checked against is made by the migrations.
    if (command !== runMigrations) await checkSecrets(database, context.secrets)
    const people = () => createPeople(context, context)
    return await command.run({ context, settings, people, askSecrets }, options)
  } finally {
    // Connections that are kept would keep the process as well.
    egress.close()
    await database.close()
  }
}

// What the person can mend is told in a line; everything else is a bug and keeps its stack.
function expectedMessage(error: unknown): string | undefined {
  if (error instanceof ConfigError) return error.problems.join('\n')
  if (error instanceof UsageError) return `${error.message} (\`cli help\` tells more)`
  if (error instanceof StartError) return error.message
  if (error instanceof SecretsError) return `SECRETS_KEY is the wrong one: ${error.message}`
  if (isDatabaseUnavailable(error)) return `the database went away: ${(error as Error).message}`
  if (missingStates.has(sqlState(error) ?? '')) {
    return 'the database is not of this version; `cli migrate` brings it up to date'
  }
  return error instanceof Fault ? faultText(error) : undefined
}
