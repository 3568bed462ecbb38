// A business with settled money, a settlement account, and a provider that has the money too; and
// short ways to look at its payouts.
import { randomUUID } from 'node:crypto'
import type { PersonActor, Role } from '../../src/kernel/auth/actor.ts'
import { insertMembership } from '../../src/kernel/auth/membership-store.ts'
import { insertPerson } from '../../src/kernel/auth/person-store.ts'
import type { Tenant } from '../../src/kernel/basics/tenant.ts'
import { post } from '../../src/kernel/ledger/ledger.ts'
import { posting } from '../../src/kernel/ledger/posting.ts'
import { findCurrency } from '../../src/kernel/money/currency.ts'
import { toText } from '../../src/kernel/money/decimal.ts'
import { fromMinor } from '../../src/kernel/money/minor-units.ts'
import { setThreshold } from '../../src/merchant/approvals/set-threshold.ts'
import { writeSettlementAccount } from '../../src/merchant/business/set-settlement-account.ts'
import { findPayout } from '../../src/merchant/payouts/payout-store.ts'
import { discrepanciesOf, eventsOf } from './payments.ts'
import type { CallOptions, CallResult, World } from './world.ts'

export const settlementAccount = {
  bankCode: '044',
  accountNumber: '0690000031',
  beneficiaryName: 'Corner shop',
}

export type Payer = {
  readonly tenant: Tenant
  readonly key: string
  // Asks for a payout; 1,000.00 NGN to the bank unless told otherwise.
  payOut(body?: object, options?: CallOptions): Promise<CallResult>
}

export type WantedPayer = {
  readonly availableMinor?: bigint
  // Null sets none, so that everything is held.
  readonly thresholdMinor?: bigint | null
  readonly account?: typeof settlementAccount | null
  readonly createdBy?: string
  readonly businessId?: string
  readonly currency?: string
}

type Call = (method: string, path: string, options?: CallOptions) => Promise<CallResult>

// 10,000.00 NGN can be paid out, by one person alone.
export async function payer(
  world: World,
  wanted: WantedPayer = {},
  call: Call = world.call,
): Promise<Payer> {
  const { availableMinor = 1_000_000n, thresholdMinor = 1_000_000_000n, currency = 'NGN' } = wanted
  const businessId = wanted.businessId ?? (await world.business())
  const tenant = { businessId, environment: 'live' } as const
  const { createdBy } = wanted
  const issued = await world.key({
    service: 'merchant',
    ...tenant,
    ...(createdBy && { createdBy }),
  })
  const actor = { kind: 'system', name: 'test', ...tenant } as const
  await world.database.transaction(async (tx) => {
    const account = wanted.account === undefined ? settlementAccount : wanted.account
    if (account) await writeSettlementAccount(tx, world.context, actor, account)
    if (thresholdMinor === null) return
    const threshold = { operation: 'payout', currency, amountMinor: thresholdMinor } as const
    await setThreshold(tx, world.context, actor, threshold)
  })
  if (availableMinor > 0n) await credit(world, tenant, currency, availableMinor)
  return {
    tenant,
    key: issued.text,
    payOut: (body = {}, options = {}) =>
      call('POST', '/merchant/api/v1/payouts', {
        key: issued.text,
        body: { amount: 1000, currency: 'NGN', destinationType: 'provider_bank', ...body },
        ...options,
      }),
  }
}

// As if charges had been paid that the provider has not settled yet.
export async function addPending(
  world: World,
  tenant: Tenant,
  currency: string,
  amountMinor: bigint,
): Promise<void> {
  const lines = [
    { account: 'provider:receivable', currency, amountMinor },
    { account: 'merchant:pending', currency, amountMinor: -amountMinor },
  ]
  await world.database.transaction((tx) =>
    post(tx, world.context, tenant, posting({ kind: 'opening.balance', lines })),
  )
}

// As if charges had settled, without the payers: here and at the provider, which has enough for
// its fees as well.
export async function credit(
  world: World,
  tenant: Tenant,
  code: string,
  amountMinor: bigint,
): Promise<void> {
  const lines = [
    { account: 'provider:balance', currency: code, amountMinor },
    { account: 'merchant:available', currency: code, amountMinor: -amountMinor },
  ]
  await world.database.transaction((tx) =>
    post(tx, world.context, tenant, posting({ kind: 'opening.balance', lines })),
  )
  const currency = findCurrency(code)
  if (!currency) throw new Error(`there is no currency ${code}`)
  const amount = toText(fromMinor(amountMinor * 2n + 100_000n, currency))
  await world.simulator.control(tenant, 'POST', '/fund', { amount, currency: code })
}

// As a refund does, which may take more than there is.
export async function overdraw(
  world: World,
  tenant: Tenant,
  currency: string,
  amountMinor: bigint,
): Promise<void> {
  const lines = [
    { account: 'merchant:available', currency, amountMinor },
    { account: 'provider:balance', currency, amountMinor: -amountMinor },
  ]
  await world.database.transaction((tx) =>
    post(tx, world.context, tenant, posting({ kind: 'opening.correction', lines })),
  )
}

// Someone of the business, who can decide what waits.
export async function member(world: World, tenant: Tenant, role: Role): Promise<PersonActor> {
  const personId = randomUUID()
  const now = world.context.clock.now()
  await world.database.transaction(async (tx) => {
    const email = `${personId}@example.com`
    const person = { id: personId, email, name: 'Ada', twoFactorEnabled: true, createdAt: now }
    await insertPerson(tx, person)
    await insertMembership(tx, { businessId: tenant.businessId, personId, role, createdAt: now })
  })
  return { kind: 'person', personId, role, ...tenant }
}

export async function payoutState(world: World, tenant: Tenant, payoutId: string) {
  const payout = await findPayout(world.database.sql, tenant, payoutId)
  if (!payout) throw new Error(`there is no payout ${payoutId}`)
  const events = await eventsOf(world, tenant)
  const entries = await world.database.sql<{ kind: string }[]>`
    select kind
    from kernel.ledger_entries
    where business_id = ${tenant.businessId}
      and source_id = ${payoutId}
    order by id`
  const reference = payout.providerReference
  return {
    payout,
    events: events
      .filter(({ objectId }) => objectId === payoutId)
      .map(({ type, data }) => ({ type, data })),
    entries: entries.map(({ kind }) => kind),
    breaks: (await discrepanciesOf(world, tenant)).map(({ cause }) => cause),
    // How often the provider really sent money.
    effects: reference === null ? 0 : (await world.simulator.effects(tenant, reference)).transfer,
  }
}
