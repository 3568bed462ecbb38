// The platform's fee on each charge. Only the operator sets it, so no password is needed. The audit
// log records every change.
import { Decimal, digitsAt, multiply, parseDecimal, toText } from '../../../kernel/money/decimal.ts'
import { runOperation } from '../../../kernel/operations/run-operation.ts'
import { basisPointsMax, type FeeSchedule } from '../../../merchant/fees/fee-schedule.ts'
import { listFeeSchedules } from '../../../merchant/fees/list-fee-schedules.ts'
import { setFeeSchedule } from '../../../merchant/fees/set-fee-schedule.ts'
import { amountOption, currencyOption } from '../../core/amount-option.ts'
import { commandActor, operatorOrBusinessActor } from '../../core/choose-business.ts'
import {
  businessUsage,
  type Command,
  type CommandOptions,
  jsonUsage,
  print,
  printJson,
  requiredOption,
  UsageError,
} from '../../core/command.ts'
import { amountText } from './approval-commands.ts'

export const setFee: Command = {
  name: 'fees set',
  summary: 'Set the fee on each charge of a business in one currency',
  usage: [
    businessUsage,
    '--currency CODE        for example NGN',
    '--percent NUMBER       per cent of the amount, at most two decimals, for example 1.5',
    '--fixed NUMBER         added to it, in major units, for example 0.10 (default: 0)',
  ],
  options: {
    business: { type: 'string' },
    currency: { type: 'string' },
    percent: { type: 'string' },
    fixed: { type: 'string' },
  },
  async run({ context }, options) {
    const { code } = currencyOption(options)
    const schedule = scheduleOption(options)
    const actor = await commandActor(context, options, 'cli fees set')
    await runOperation(setFeeSchedule, context, actor, { currency: code, ...schedule })
    print(`New fee in ${code}: ${describe(code, schedule)}.`)
    return 0
  },
}

export const showFees: Command = {
  name: 'fees list',
  summary: 'List the fees on charges',
  usage: ['--business ID          only this business', jsonUsage],
  options: { business: { type: 'string' }, json: { type: 'boolean' } },
  async run({ context }, options) {
    const actor = await operatorOrBusinessActor(context, options, 'cli fees list')
    const fees = await runOperation(listFeeSchedules, context, actor, {})
    if (options.json) {
      printJson(fees)
      return 0
    }
    for (const schedule of fees.schedules) {
      const { businessId: id, currency } = schedule
      print(`${id}  ${currency}  ${describe(currency, schedule)}`)
    }
    print(`all others: ${percentText(fees.default)}`)
    return 0
  },
}

const hundred = new Decimal(100n, 0)

function scheduleOption(options: CommandOptions): FeeSchedule {
  const percent = parseDecimal(requiredOption(options, 'percent'))
  const points = percent && multiply(percent, hundred)
  const isExact = points && points.digits >= 0n && points.scale === 0
  if (!isExact || digitsAt(points, 0) > BigInt(basisPointsMax)) {
    throw new UsageError('--percent must be from 0 to 100, with two decimals at most')
  }
  const currency = currencyOption(options)
  const fixedMinor =
    options.fixed === undefined ? 0n : amountOption(options, 'fixed', currency, '0 or more')
  return { basisPoints: Number.parseInt(points.digits.toString(), 10), fixedMinor }
}

function describe(currency: string, schedule: FeeSchedule): string {
  const { fixedMinor } = schedule
  const percent = percentText(schedule)
  return fixedMinor === 0n ? percent : `${percent} and ${amountText(fixedMinor, currency)}`
}

function percentText({ basisPoints }: FeeSchedule): string {
  return `${toText(new Decimal(BigInt(basisPoints), 2))} %`
}
