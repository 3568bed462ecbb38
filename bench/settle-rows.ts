// Settling successful charges, including ledger and events, through the function that handles every
// fact from the provider. The baseline is pgbench with as many clients, which runs the statements
// recorded from a settlement (see record-statements.ts).
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { assertDefined } from '../src/kernel/basics/assert.ts'
import { systemClock } from '../src/kernel/basics/clock.ts'
import { systemIds } from '../src/kernel/basics/id.ts'
import { connect, type Database } from '../src/kernel/db/database.ts'
import { Decimal } from '../src/kernel/money/decimal.ts'
import type { MerchantContext } from '../src/merchant/context.ts'
import { applyChargeFact } from '../src/merchant/payments/apply-charge-fact.ts'
import type { ChargeFact } from '../src/merchant/provider/provider.ts'
import { familyCpuMs } from './cpu.ts'
import {
  businessId,
  insertBusinesses,
  insertEndpoints,
  insertPendingPayments,
  paymentId,
  providerReference,
} from './data.ts'
import { startDatabase } from './database.ts'
import { pgbenchScript } from './record-statements.ts'
import { measure, type Round, type Row } from './report.ts'
import { withDirectory } from './servers.ts'

const businesses = 1_000
const clients = 16
const chargesPerClient = 25
const chargesPerSide = clients * chargesPerClient
const unit = 'settled a second'

export const settleRows: readonly Row[] = [
  {
    name: 'settle-spread',
    title: `settling charges of ${businesses} businesses against pgbench`,
    goal: { atLeast: 0.5 },
    unit,
  },
  {
    name: 'settle-hot',
    title: `settling charges of one business against those of ${businesses}`,
    goal: { atLeast: 0.9 },
    unit,
  },
  {
    name: 'enqueue',
    title: 'settling charges of businesses with two webhook endpoints each against without',
    goal: { atLeast: 0.85 },
    unit,
  },
]

export async function measureSettling(rows: readonly Row[]): Promise<void> {
  await withDirectory(async (dataDir, defer) => {
    const server = await startDatabase(dataDir, defer)
    const database = connect({ url: server.url, poolSize: clients })
    defer(database.close)
    await insertBusinesses(database.sql, businesses)
    const payments = paymentSource(database)
    const script = join(dataDir, 'settle.sql')
    const first = await payments(1, businesses)
    writeFileSync(script, await recordSettlement(server, first))
    const ours = async (spread: number) => {
      const first = await payments(chargesPerSide, spread)
      return timed(server, async () => {
        const beganMs = performance.now()
        await settleAll(database, first, spread)
        return (1000 * chargesPerSide) / (performance.now() - beganMs)
      })
    }
    const pgbench = async (spread: number) => {
      const first = await payments(chargesPerSide, spread)
      return timed(server, () => runPgbench(server.socketDir, script, first, spread))
    }
    const compared: Record<string, () => Promise<Round>> = {
      'settle-spread': async () => compare(await ours(businesses), await pgbench(businesses)),
      'settle-hot': async () => compare(await ours(1), await ours(businesses)),
      enqueue: async () => {
        await updateEndpoints(database, 'on')
        const told = await ours(businesses)
        await updateEndpoints(database, 'off')
        return compare(told, await ours(businesses))
      },
    }
    for (const row of rows) {
      if (row.name === 'enqueue') await insertEndpoints(database.sql)
      await measure(row, assertDefined(compared[row.name], `no row ${row.name}`))
    }
  })
}

// Nothing is sent to them, since no worker runs. The row measures queueing the event.
async function updateEndpoints({ sql }: Database, state: 'on' | 'off'): Promise<void> {
  await sql`
    update kernel.webhook_endpoints
    set state = ${state}`
  await sql`vacuum analyze kernel.webhook_endpoints`
}

type Side = { readonly perSecond: number; readonly cpuMs: number }

function compare(our: Side, other: Side): Round {
  return { ours: our.perSecond, baseline: other.perSecond, cpuRatio: other.cpuMs / our.cpuMs }
}

// Client and server together: pgbench counts as a child process that has ended.
async function timed({ pid }: { pid: number }, work: () => Promise<number>): Promise<Side> {
  const spent = () => familyCpuMs(process.pid) + familyCpuMs(pid)
  const before = spent()
  const perSecond = await work()
  return { perSecond, cpuMs: spent() - before }
}

// Provides pending payments; each is settled once. Returns the number of the first one.
function paymentSource({ sql }: Database) {
  let next = businesses
  return async (count: number, spread: number) => {
    const first = next
    next += count
    await insertPendingPayments(sql, { first, count, businesses: spread })
    await sql`checkpoint`
    return first
  }
}

async function settleAll(database: Database, first: number, spread: number): Promise<void> {
  const context = settlingContext(database)
  let next = first
  const client = async () => {
    while (next < first + chargesPerSide) {
      const number = next
      next += 1
      await settle(context, number, spread)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
}

async function settle(context: MerchantContext, number: number, spread: number): Promise<void> {
  const tenant = { businessId: businessId(number % spread), environment: 'live' } as const
  const fact: ChargeFact = {
    reference: providerReference(number),
    transactionId: String(number),
    status: 'successful',
    amount: new Decimal(1000n, 0),
    currency: 'NGN',
    providerFee: new Decimal(14n, 0),
    amountSettled: new Decimal(986n, 0),
    failureReason: null,
    token: null,
    method: null,
    card: null,
  }
  const settled = await context.database.transaction((tx) =>
    applyChargeFact(tx, context, tenant, paymentId(number), fact),
  )
  if (!settled.settledAt) throw new Error(`payment ${number} did not settle`)
}

// Everything that settling uses. Other dependencies, such as the provider, are missing.
function settlingContext(database: Database): MerchantContext {
  const context = { database, clock: systemClock, ids: systemIds(systemClock), failpoint() {} }
  return context as unknown as MerchantContext
}

async function recordSettlement(
  server: { url: string; logFile: string },
  number: number,
): Promise<string> {
  const database = connect({ url: `${server.url}&log_statement=all`, poolSize: 1 })
  let made = 0
  const suffix = paymentId(number).slice(-12)
  const uuid = () => {
    made += 1
    return `0190000${made.toString(16)}-0000-7000-8000-${suffix}`
  }
  const context = settlingContext(database)
  await settle({ ...context, ids: { ...context.ids, uuid } }, number, businesses)
  await database.close()
  return pgbenchScript(server.logFile, {
    [paymentId(number).slice(-12)]: 'payment',
    [businessId(number % businesses).slice(-12)]: 'business',
  })
}

async function runPgbench(
  socketDir: string,
  script: string,
  first: number,
  spread: number,
): Promise<number> {
  const variables = { first, each: chargesPerClient, businesses: spread, done: -1 }
  const { stdout: output } = await promisify(execFile)('pgbench', [
    '--no-vacuum',
    '--protocol=prepared',
    `--client=${clients}`,
    `--transactions=${chargesPerClient}`,
    `--file=${script}`,
    ...Object.entries(variables).map(([name, value]) => `--define=${name}=${value}`),
    `--host=${socketDir}`,
    '--username=tillbook',
    'tillbook',
  ])
  if (!output.includes(`processed: ${chargesPerSide}/${chargesPerSide}`)) throw new Error(output)
  return Number(/tps = ([\d.]+)/.exec(output)?.[1])
}
