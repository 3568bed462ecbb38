// Balances of a business, the entries behind them, and moving money back from the wallet.
import { runOperation } from '../../../kernel/operations/run-operation.ts'
import { balanceParts } from '../../../merchant/balances/balance.ts'
import { listBalanceEntries } from '../../../merchant/balances/list-balance-entries.ts'
import { listBalances } from '../../../merchant/balances/list-balances.ts'
import { withdrawFromWallet } from '../../../merchant/balances/withdraw-from-wallet.ts'
import { amountOption, currencyOption } from '../../core/amount-option.ts'
import { commandActor } from '../../core/choose-business.ts'
import {
  businessUsage,
  type Command,
  jsonUsage,
  print,
  printJson,
  requiredOption,
  testUsage,
  UsageError,
} from '../../core/command.ts'
import { amountText, findMember } from './approval-commands.ts'

const shownMax = 100

export const showBalances: Command = {
  name: 'balances',
  summary: 'Show the balances of a business: pending, available, reserved and wallet',
  usage: [businessUsage, testUsage, jsonUsage],
  options: { business: { type: 'string' }, test: { type: 'boolean' }, json: { type: 'boolean' } },
  async run({ context }, options) {
    const actor = await commandActor(context, options, 'cli balances')
    const balances = await runOperation(listBalances, context, actor, {})
    if (options.json) {
      printJson(balances)
      return 0
    }
    for (const { currency, ...amounts } of balances) {
      for (const part of balanceParts) {
        print(`${part.padEnd(10)} ${amountText(amounts[`${part}Minor`], currency)}`)
      }
    }
    if (balances.length === 0) print('No money has moved yet.')
    return 0
  },
}

export const explainBalance: Command = {
  name: 'balances why',
  summary: `Show the newest ${shownMax} entries behind a balance`,
  usage: [
    businessUsage,
    '--currency CODE        for example NGN',
    `--part NAME            ${balanceParts.join(', ')}`,
    testUsage,
    jsonUsage,
  ],
  options: {
    business: { type: 'string' },
    currency: { type: 'string' },
    part: { type: 'string' },
    test: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  async run({ context }, options) {
    const actor = await commandActor(context, options, 'cli balances why')
    const { code: currency } = currencyOption(options)
    const wanted = requiredOption(options, 'part')
    const part = balanceParts.find((known) => known === wanted)
    if (!part) throw new UsageError(`--part must be one of ${balanceParts.join(', ')}`)
    const wantedEntries = { part, currency, limit: shownMax }
    const entries = await runOperation(listBalanceEntries, context, actor, wantedEntries)
    if (options.json) {
      printJson(entries)
      return 0
    }
    for (const { id, status, amountMinor, createdAt } of entries.payouts) {
      print(
        `${createdAt.toISOString()}  payout ${id} (${status})  ${amountText(amountMinor, currency)}`,
      )
    }
    for (const { id, amountMinor, createdAt } of entries.refunds) {
      print(
        `${createdAt.toISOString()}  refund ${id} (pending)  ${amountText(amountMinor, currency)}`,
      )
    }
    for (const { createdAt, kind, sourceId, amountMinor } of entries.lines) {
      print(`${createdAt.toISOString()}  ${kind} ${sourceId}  ${amountText(amountMinor, currency)}`)
    }
    return 0
  },
}

export const returnFromWallet: Command = {
  name: 'wallet return',
  summary: 'Move money from the wallet back to the available balance',
  usage: [
    businessUsage,
    '--email ADDRESS        of an owner or admin; asks for password and code',
    '--currency CODE        for example NGN',
    '--amount NUMBER        in major units, for example 50000.00',
  ],
  options: {
    business: { type: 'string' },
    email: { type: 'string' },
    currency: { type: 'string' },
    amount: { type: 'string' },
  },
  async run(world, options) {
    const { context } = world
    const currency = currencyOption(options)
    const amountMinor = amountOption(options, 'amount', currency)
    const actor = await findMember(world, options)
    const wanted = { currency: currency.code, amountMinor }
    await runOperation(withdrawFromWallet, context, actor, wanted)
    print(`Moved back: ${amountText(amountMinor, currency.code)}.`)
    return 0
  },
}
