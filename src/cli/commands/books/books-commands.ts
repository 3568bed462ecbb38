// Commands for the books: settings, lock dates, number patterns, the check of the invariants and
// the journal export.
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { z } from 'zod'
import { exportJournal } from '../../../books/export/export-journal.ts'
import { exportFormats } from '../../../books/export/journal-text.ts'
import { booksInvariants } from '../../../books/invariants.ts'
import { getOrganisation } from '../../../books/settings/get-organisation.ts'
import { listNumberPatterns } from '../../../books/settings/list-number-patterns.ts'
import { numberedKinds } from '../../../books/settings/number-series.ts'
import { setLockDates } from '../../../books/settings/set-lock-dates.ts'
import { setNumberPattern } from '../../../books/settings/set-number-pattern.ts'
import { updateOrganisation } from '../../../books/settings/update-organisation.ts'
import type { SystemActor } from '../../../kernel/auth/actor.ts'
import { outerName } from '../../../kernel/operations/outer-names.ts'
import { runOperation } from '../../../kernel/operations/run-operation.ts'
import { findNamedBusiness, meantTenant } from '../../core/choose-business.ts'
import {
  businessUsage,
  type Command,
  type CommandOptions,
  type CommandWorld,
  jsonUsage,
  print,
  printJson,
  requiredOption,
  testUsage,
  UsageError,
} from '../../core/command.ts'
import { chosenEnvironment } from '../../core/environment-option.ts'
import { namingOptions } from '../../core/fault-text.ts'
import { checkInvariants } from '../operator/operator-commands.ts'

// The option for each setting.
const settingOptions = {
  legalName: '--legal-name',
  taxNumber: '--tax-number',
  timeZone: '--time-zone',
  fiscalYearStartMonth: '--fiscal-year-start',
  taxRounding: '--tax-rounding',
  defaultPaymentTermsDays: '--payment-terms',
}
const lockOptions = { softLockedUntil: '--soft', hardLockedUntil: '--hard' }

const tenantUsage = [businessUsage, testUsage]
const tenantOptions = { business: { type: 'string' }, test: { type: 'boolean' } } as const

export const verifyBooks: Command = {
  name: 'books verify',
  summary: 'Check the invariants of the books; exit status 1 if one is violated',
  usage: [
    '--business ID          only this business',
    '--test, --live         only the sandbox, or only live (default: both)',
    jsonUsage,
  ],
  options: { ...tenantOptions, live: { type: 'boolean' }, json: { type: 'boolean' } },
  async run({ context }, options) {
    const business = await findNamedBusiness(context, options)
    const environment = chosenEnvironment(options)
    // Every violation in the books names its tenant.
    return checkInvariants(context, booksInvariants, options, (violation) =>
      [
        business === undefined || violation.businessId === business.id,
        environment === undefined || violation.environment === environment,
      ].every(Boolean),
    )
  },
}

export const exportBooks: Command = {
  name: 'books export',
  summary: 'Export the whole journal as text for another program',
  usage: [...tenantUsage, `--format NAME          ${exportFormats.join(', ')}`],
  options: { ...tenantOptions, format: { type: 'string' } },
  async run({ context }, options) {
    const wanted = requiredOption(options, 'format')
    const format = exportFormats.find((known) => known === wanted)
    if (!format) throw new UsageError(`--format must be one of ${exportFormats.join(', ')}`)
    const actor = await booksActor(context, options, 'cli books export')
    const text = Readable.from(await runOperation(exportJournal, context, actor, { format }))
    try {
      await pipeline(text, process.stdout, { end: false })
    } catch (error) {
      // The reader, such as `head`, closed the pipe. That is not an error.
      if (!(error instanceof Error && 'code' in error && error.code === 'EPIPE')) throw error
    }
    return 0
  },
}

export const showBooks: Command = {
  name: 'books settings',
  summary: 'Show the settings of the books',
  usage: [...tenantUsage, jsonUsage],
  options: { ...tenantOptions, json: { type: 'boolean' } },
  async run({ context }, options) {
    const actor = await booksActor(context, options, 'cli books settings')
    const organisation = await runOperation(getOrganisation, context, actor, {})
    const series = await runOperation(listNumberPatterns, context, actor, {})
    if (options.json) {
      printJson({ ...organisation, series })
      return 0
    }
    for (const [name, value] of Object.entries(organisation)) {
      if (value !== null && !(value instanceof Date))
        print(`${outerName(name).padEnd(28)} ${value}`)
    }
    for (const { kind, pattern } of series) print(`${`numbers of ${kind}`.padEnd(28)} ${pattern}`)
    return 0
  },
}

export const setBooks: Command = {
  name: 'books settings set',
  summary: 'Change settings of the books; other settings stay as they are',
  usage: [
    ...tenantUsage,
    '--legal-name TEXT      printed on documents',
    '--tax-number TEXT      printed on documents',
    '--time-zone NAME       decides which day is today, for example Europe/Berlin',
    '--fiscal-year-start N  first month of the fiscal year, 1 to 12',
    '--tax-rounding NAME    line or document',
    '--approvals ANSWER     yes or no: documents must be submitted and approved',
    "--four-eyes ANSWER     yes or no: authors can't approve their own documents",
    '--payment-terms DAYS   days until a document is due, unless its contact has other terms',
  ],
  options: {
    ...tenantOptions,
    'legal-name': { type: 'string' },
    'tax-number': { type: 'string' },
    'time-zone': { type: 'string' },
    'fiscal-year-start': { type: 'string' },
    'tax-rounding': { type: 'string' },
    approvals: { type: 'string' },
    'four-eyes': { type: 'string' },
    'payment-terms': { type: 'string' },
  },
  async run({ context }, options) {
    const actor = await booksActor(context, options, 'cli books settings set')
    const changes = {
      legalName: options['legal-name'],
      taxNumber: options['tax-number'],
      timeZone: options['time-zone'],
      fiscalYearStartMonth: numberOption(options, 'fiscal-year-start'),
      taxRounding: options['tax-rounding'],
      approvalsOn: answerOption(options, 'approvals'),
      fourEyesOn: answerOption(options, 'four-eyes'),
      defaultPaymentTermsDays: numberOption(options, 'payment-terms'),
    }
    // The operation checks every value against its schema.
    const wanted = changes as z.input<typeof updateOrganisation.input>
    await namingOptions(settingOptions, () =>
      runOperation(updateOrganisation, context, actor, wanted),
    )
    print('Settings saved.')
    return 0
  },
}

export const lockBooks: Command = {
  name: 'books lock',
  summary: 'Lock the books up to a day',
  usage: [
    ...tenantUsage,
    '--soft DATE            only owners and admins can post up to this day; none removes it',
    '--hard DATE            no one can post up to this day; cannot be undone',
  ],
  options: { ...tenantOptions, soft: { type: 'string' }, hard: { type: 'string' } },
  async run({ context }, options) {
    const actor = await booksActor(context, options, 'cli books lock')
    const { soft, hard } = options
    if (soft === undefined && hard === undefined)
      throw new UsageError('--soft or --hard is missing')
    const wanted = {
      ...(typeof soft === 'string' && { softLockedUntil: soft === 'none' ? null : soft }),
      ...(typeof hard === 'string' && { hardLockedUntil: hard }),
    }
    const organisation = await namingOptions(lockOptions, () =>
      runOperation(setLockDates, context, actor, wanted),
    )
    print(`Soft lock: ${organisation.softLockedUntil ?? 'none'}`)
    print(`Hard lock: ${organisation.hardLockedUntil ?? 'none'}`)
    return 0
  },
}

export const setNumbers: Command = {
  name: 'books numbers set',
  summary: 'Change the number pattern of a kind of document',
  usage: [
    ...tenantUsage,
    `--kind NAME            ${numberedKinds.join(', ')}`,
    '--pattern TEXT         for example INV-{YYYY}-{00000}',
  ],
  options: { ...tenantOptions, kind: { type: 'string' }, pattern: { type: 'string' } },
  async run({ context }, options) {
    const actor = await booksActor(context, options, 'cli books numbers set')
    const wanted = requiredOption(options, 'kind')
    const kind = numberedKinds.find((known) => known === wanted)
    if (!kind) throw new UsageError(`--kind must be one of ${numberedKinds.join(', ')}`)
    const pattern = requiredOption(options, 'pattern')
    await runOperation(setNumberPattern, context, actor, { kind, pattern })
    print(`New number pattern for ${kind}: ${pattern}`)
    return 0
  },
}

async function booksActor(
  context: CommandWorld['context'],
  options: CommandOptions,
  name: string,
): Promise<SystemActor> {
  return { ...(await meantTenant(context, options)), kind: 'system', name }
}

function numberOption(options: CommandOptions, name: string): number | undefined {
  const text = options[name]
  if (text === undefined) return undefined
  if (!/^\d{1,4}$/.test(String(text))) throw new UsageError(`--${name} must be a whole number`)
  return Number.parseInt(String(text), 10)
}

function answerOption(options: CommandOptions, name: string): boolean | undefined {
  const text = options[name]
  if (text === undefined) return undefined
  if (text !== 'yes' && text !== 'no') throw new UsageError(`--${name} must be yes or no`)
  return text === 'yes'
}
