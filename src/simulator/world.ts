// A world is one merchant account at the simulated provider, isolated from all others. The secret
// key names it. There is no registration: every key of the right form works.

import { assertDefined } from '../kernel/basics/assert.ts'
import { Fault } from '../kernel/basics/fault.ts'
import type { Tenant } from '../kernel/basics/tenant.ts'
import type { Tx } from '../kernel/db/database.ts'
import { type Decimal, divideRounded, multiply, parseDecimal } from '../kernel/money/decimal.ts'
import type { SimulatorContext } from './context.ts'
import { insertOrUpdateWallet } from './wallets/wallet-store.ts'
import { findWorld, insertWorld } from './world-store.ts'

export type World = {
  readonly tenant: Tenant
  readonly accountId: bigint
  readonly webhookUrl: string | null
  readonly webhookHash: string | null
  readonly chargeFeePercents: Readonly<Record<string, string>>
  readonly magicAmounts: boolean
}

const keyPattern = /^Bearer FLWSECK(_TEST)?-([A-Za-z0-9_-]{1,64})-X$/

// The provider's rates for cards: local ones in Nigeria, and international ones.
const defaultFeePercents = { NGN: '1.4', '*': '3.8' }

// The provider keeps three decimals in a fee, regardless of the currency.
export const feePlaces = 3

export async function openWorld(
  context: SimulatorContext,
  authorization: string | undefined,
): Promise<World> {
  const tenant = tenantOf(authorization)
  const found = await findWorld(context.database.sql, tenant)
  if (found) return found
  await context.database.transaction((tx) => createWorld(tx, context, tenant))
  return worldOf(context, tenant)
}

async function createWorld(tx: Tx, context: SimulatorContext, tenant: Tenant): Promise<void> {
  const isNew = await insertWorld(tx, tenant, {
    chargeFeePercents: defaultFeePercents,
    magicAmounts: context.magicAmounts && tenant.environment === 'test',
    createdAt: context.clock.now(),
  })
  if (!isNew) return
  for (const [currency, amount] of Object.entries(context.openingBalances)) {
    await insertOrUpdateWallet(tx, tenant, { currency, available: amount, ledger: amount })
  }
}

// For callers that read the tenant from a row, so its world exists.
export async function worldOf(context: SimulatorContext, tenant: Tenant): Promise<World> {
  return assertDefined(await findWorld(context.database.sql, tenant), 'a row without its world')
}

export function chargeFee(world: World, amount: Decimal, currency: string): Decimal {
  const percents = world.chargeFeePercents
  const percent = parseDecimal(percents[currency] ?? percents['*'] ?? '0')
  const rate = assertDefined(percent, 'a fee that is no number')
  return divideRounded(multiply(amount, rate), hundred, feePlaces)
}

const hundred = assertDefined(parseDecimal('100'), 'a hundred')

function tenantOf(authorization: string | undefined): Tenant {
  if (!authorization) throw new Fault('authentication_failed', 'Authorization required')
  const match = keyPattern.exec(authorization)
  const businessId = match?.[2]
  if (!match || !businessId) throw new Fault('authentication_failed', 'Invalid authorization key')
  return { businessId, environment: match[1] ? 'test' : 'live' }
}
