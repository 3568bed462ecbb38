// Pauses new payments, refunds or payouts for maintenance. A pause always has an end, so callers
// know when to retry, and no pause is forgotten.
import { operatorActor } from '../../../kernel/auth/actor.ts'
import { addSeconds } from '../../../kernel/basics/clock.ts'
import { runOperation } from '../../../kernel/operations/run-operation.ts'
import { dateTime } from '../../../kernel/operations/schemas.ts'
import { liftPauses } from '../../../merchant/pauses/lift-pauses.ts'
import { listPauses } from '../../../merchant/pauses/list-pauses.ts'
import {
  type Pause,
  type PauseKind,
  pauseKinds,
  pauseReasonMax as reasonMax,
} from '../../../merchant/pauses/pause.ts'
import { setPauses } from '../../../merchant/pauses/set-pauses.ts'
import {
  type Command,
  type CommandOptions,
  listOption,
  print,
  printJson,
  requiredOption,
  UsageError,
} from '../../core/command.ts'

const kindUsage = `--kind NAME,…          ${pauseKinds.join(', ')}`
const jsonUsage = '--json                 print JSON'
const minutesMax = 7 * 24 * 60

export const beginPause: Command = {
  name: 'pause set',
  summary: 'Pause new payments, refunds or payouts of all businesses; those under way finish',
  usage: [
    kindUsage,
    '--until TIME           when it ends, for example 2030-01-31T12:00:00Z',
    '--minutes NUMBER       instead of --until: minutes from now',
    '--reason TEXT          why, for the audit log; callers do not see it',
    jsonUsage,
  ],
  options: {
    kind: { type: 'string' },
    until: { type: 'string' },
    minutes: { type: 'string' },
    reason: { type: 'string' },
    json: { type: 'boolean' },
  },
  async run({ context }, options) {
    const kinds = kindsOption(options)
    const endsAt = endOption(options, context.clock.now())
    const reason = reasonOption(options)
    const wanted = { kinds, endsAt, reason }
    const pauses = await runOperation(setPauses, context, operatorActor('cli pause set'), wanted)
    if (options.json) printJson(pauses)
    else for (const { kind } of pauses) print(`Paused: ${kind}, until ${endsAt.toISOString()}.`)
    return 0
  },
}

export const showPauses: Command = {
  name: 'pause list',
  summary: 'List current pauses',
  usage: ['--all                  include past pauses', jsonUsage],
  options: { all: { type: 'boolean' }, json: { type: 'boolean' } },
  async run({ context }, options) {
    const actor = operatorActor('cli pause list')
    const wanted = { includesEnded: options.all === true }
    const pauses = await runOperation(listPauses, context, actor, wanted)
    if (options.json) {
      printJson(pauses)
      return 0
    }
    for (const pause of pauses) print(describe(pause))
    if (pauses.length === 0) print('Nothing is paused.')
    return 0
  },
}

export const endPause: Command = {
  name: 'pause lift',
  summary: 'End a pause early',
  usage: [kindUsage],
  options: { kind: { type: 'string' } },
  async run({ context }, options) {
    const actor = operatorActor('cli pause lift')
    const wanted = { kinds: kindsOption(options) }
    for (const { kind, isLifted } of await runOperation(liftPauses, context, actor, wanted)) {
      print(isLifted ? `Lifted: ${kind}.` : `Not paused: ${kind}.`)
    }
    return 0
  },
}

function kindsOption(options: CommandOptions): PauseKind[] {
  requiredOption(options, 'kind')
  return [...new Set(listOption(options, 'kind'))].map((name) => {
    const kind = pauseKinds.find((one) => one === name)
    if (!kind) throw new UsageError(`--kind must be of ${pauseKinds.join(', ')}, not ${name}`)
    return kind
  })
}

function endOption(options: CommandOptions, now: Date): Date {
  if ((options.until === undefined) === (options.minutes === undefined)) {
    throw new UsageError('use --until or --minutes to say when the pause ends')
  }
  if (options.until !== undefined) {
    const until = dateTime().safeParse(requiredOption(options, 'until'))
    if (until.success) return until.data
    throw new UsageError('--until must be a date and time such as 2030-01-31T12:00:00Z')
  }
  const minutes = requiredOption(options, 'minutes')
  const count = /^[1-9]\d{0,5}$/.test(minutes) ? Number(minutes) : Number.POSITIVE_INFINITY
  if (count <= minutesMax) return addSeconds(now, count * 60)
  throw new UsageError(`--minutes must be a whole number from 1 to ${minutesMax}`)
}

function reasonOption({ reason }: CommandOptions): string | null {
  if (typeof reason !== 'string' || reason.trim() === '') return null
  if (reason.trim().length <= reasonMax) return reason.trim()
  throw new UsageError(`--reason has at most ${reasonMax} characters`)
}

function describe({ kind, setBy, setAt, endsAt, liftedBy, liftedAt, reason }: Pause): string {
  const set = `set ${setAt.toISOString()} by ${setBy}`
  const lifted = liftedAt && `lifted ${liftedAt.toISOString()} by ${liftedBy}`
  return [`${kind.padEnd(8)}  until ${endsAt.toISOString()}`, set, lifted, reason]
    .filter(Boolean)
    .join(', ')
}
