// The books at the terminal: how they are kept, whether they hold, and all of them as text.
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

// What each field is called here.
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
  summary: 'Check every invariant of the books; exit status 1 when one is broken',
  usage: [
    '--business ID          of this business alone',
    '--test, --live         the sandbox alone, or live alone (default: both)',
    jsonUsage,
  ],
  options: { ...tenantOptions, live: { type: 'boolean' }, json: { type: 'boolean' } },
  async run({ context }, options) {
    const business = await findNamedBusiness(context, options)
    const environment = chosenEnvironment(options)
    // Every violation in the books names the tenant.
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
  summary: 'Write the whole journal as text that other programs read',
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
      // Whoever reads has seen enough, as `head` does.
      if (!(error instanceof Error && 'code' in error && error.code === 'EPIPE')) throw error
    }
    return 0
  },
}

export const showBooks: Command = {
  name: 'books settings',
  summary: 'Show how the books of a business are kept',
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
  summary: 'Change how the books are kept; what is left out stays',
  usage: [
    ...tenantUsage,
    '--legal-name TEXT      printed on documents',
    '--tax-number TEXT      the same',
    '--time-zone NAME       where "today" is, for example Europe/Berlin',
    '--fiscal-year-start N  the month that a fiscal year begins with, 1 to 12',
    '--tax-rounding NAME    line or document',
    '--approvals ANSWER     yes or no: whether documents must be submitted and approved',
    '--four-eyes ANSWER     yes or no: by somebody else than their author',
    '--payment-terms DAYS   when documents are due whose contact says nothing else',
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
    // The operation holds every value against its schema.
    const wanted = changes as z.input<typeof updateOrganisation.input>
    await namingOptions(settingOptions, () =>
      runOperation(updateOrganisation, context, actor, wanted),
    )
    print('The books are kept that way from now on.')
    return 0
  },
}

export const lockBooks: Command = {
  name: 'books lock',
  summary: 'Lock the books up to a day',
  usage: [
    ...tenantUsage,
    '--soft DATE            only owners and admins post up to it; none takes it away',
    '--hard DATE            nobody does any more, for ever',
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
  summary: 'Change how documents of a kind are numbered from now on',
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
    print(`From now on ${kind} is numbered ${pattern}.`)
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
