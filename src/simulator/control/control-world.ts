// The settings of a world, and adding money to its wallet.
import { parseDecimal, zeroDecimal } from '../../kernel/money/decimal.ts'
import { isLess } from '../decimals.ts'
import type { Endpoint } from '../endpoint.ts'
import type { Answer } from '../envelope.ts'
import {
  currencyOf,
  type Fields,
  optionalObject,
  optionalText,
  refuse,
  requiredAmount,
} from '../fields.ts'
import { insertOrUpdateWallet } from '../wallets/wallet-store.ts'
import { type World, worldOf } from '../world.ts'
import { updateWorld, type WorldSettings } from '../world-store.ts'

export const showWorld: Endpoint = {
  method: 'GET',
  path: '/world',
  handle: async (_context, world) => present(world),
}

// Settings that are left out keep their value.
export const changeWorld: Endpoint = {
  method: 'PUT',
  path: '/world',
  async handle(context, world, { body }) {
    await updateWorld(context.database.sql, world.tenant, settingsOf(world, body))
    return present(await worldOf(context, world.tenant))
  },
}

export const fundWallet: Endpoint = {
  method: 'POST',
  path: '/fund',
  async handle({ database }, { tenant }, { body }) {
    const amount = requiredAmount(body)
    const movement = { currency: currencyOf(body), available: amount, ledger: amount }
    await database.transaction((tx) => insertOrUpdateWallet(tx, tenant, movement))
    return { status: 200, body: { funded: amount, currency: movement.currency } }
  },
}

function settingsOf(world: World, body: Fields): WorldSettings {
  const fees = Object.keys(optionalObject(body, 'charge_fee_percents'))
  return {
    webhookUrl: 'webhook_url' in body ? readUrl(body) : world.webhookUrl,
    webhookHash:
      'webhook_hash' in body ? (optionalText(body, 'webhook_hash') ?? null) : world.webhookHash,
    chargeFeePercents: fees.length > 0 ? readFees(body) : world.chargeFeePercents,
    magicAmounts: 'magic_amounts' in body ? body.magic_amounts === true : world.magicAmounts,
  }
}

// Any address, so that tests can receive webhooks on loopback.
function readUrl(body: Fields): string | null {
  const text = optionalText(body, 'webhook_url')
  if (text === undefined) return null
  if (!URL.canParse(text) || !/^https?:/.test(text)) throw refuse('webhook_url must be a URL')
  return text
}

function readFees(body: Fields): Record<string, string> {
  const fees = optionalObject(body, 'charge_fee_percents')
  return Object.fromEntries(
    Object.keys(fees).map((currency) => {
      const text = optionalText(fees, currency) ?? '0'
      const percent = parseDecimal(text)
      if (!percent || percent.scale > 6 || isLess(percent, zeroDecimal)) {
        throw refuse('charge_fee_percents must be percentages by currency')
      }
      return [currency, text]
    }),
  )
}

function present(world: World): Answer {
  return {
    status: 200,
    body: {
      business: world.tenant.businessId,
      environment: world.tenant.environment,
      account_id: world.accountId,
      webhook_url: world.webhookUrl,
      webhook_hash: world.webhookHash,
      charge_fee_percents: world.chargeFeePercents,
      magic_amounts: world.magicAmounts,
    },
  }
}
