import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { Actor } from '../../../src/kernel/auth/actor.ts'
import { type Act, recordAct } from '../../../src/kernel/auth/audit-log.ts'
import { sealAuditLog, sealAuditLogSchedule } from '../../../src/kernel/auth/seal-audit-log.ts'
import { verifyAuditLog } from '../../../src/kernel/auth/verify-audit-log.ts'
import type { Tenant } from '../../../src/kernel/basics/tenant.ts'
import type { Context } from '../../../src/kernel/db/context.ts'
import { createDatabase } from '../../support/database.ts'
import { contextOn, type TestContext, workerFor } from '../../support/jobs.ts'

const database = await createDatabase(20)
afterAll(() => database.drop())

let context: TestContext
let actor: Actor
beforeEach(async () => {
  context = contextOn(database)
  // Each test has the log for itself; the guard stands aside only for a superuser.
  await tamper('delete from kernel.audit_log')
  await database.sql`delete from kernel.audit_chains`
  actor = await newActor('live')
})

async function newActor(environment: Tenant['environment']): Promise<Actor> {
  const businessId = context.ids.uuid()
  await database.sql`
    insert into kernel.businesses (id, name, is_demo, created_at)
    values (${businessId}, 'Palm Bakery', false, ${context.clock.now()})`
  return { kind: 'system', name: 'cli test', businessId, environment }
}

const act: Act = { action: 'api_key.create', objectKind: 'api_key', objectId: 'key-1' }

function record(by: Actor, detail: NonNullable<Act['detail']> = {}): Promise<void> {
  return database.transaction((tx) => recordAct(tx, context, by, { ...act, detail }))
}

async function recordMany(by: Actor, count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1) await record(by, { number })
}

// What someone with every right on the server could do: the guard's triggers are off.
async function tamper(statement: string): Promise<void> {
  await database.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx.unsafe(statement)
  })
}

function violations() {
  return verifyAuditLog.violations(database.sql, context.clock.now())
}

async function chain(of: Tenant) {
  return database.sql<
    { sequence: bigint | null; number: number; previousHash: Buffer; hash: Buffer }[]
  >`
    select sequence, (detail->>'number')::integer as number, previous_hash, hash
    from kernel.audit_log
    where business_id = ${of.businessId}
      and environment = ${of.environment}
    order by sequence nulls last, id`
}

describe('an act', () => {
  it('is recorded with who, what and when', async () => {
    await record(actor, { scopes: ['payments:read'], expires: null })
    const rows = await database.sql`select * from kernel.audit_log`
    expect(rows).toEqual([
      {
        businessId: actor.businessId,
        environment: 'live',
        id: expect.any(String),
        at: context.clock.now(),
        actorKind: 'system',
        actorId: 'cli test',
        action: 'api_key.create',
        objectKind: 'api_key',
        objectId: 'key-1',
        detail: { scopes: ['payments:read'], expires: null },
        sequence: null,
        previousHash: null,
        hash: null,
      },
    ])
  })

  it('is not recorded when its transaction rolls back', async () => {
    const rolledBack = database.transaction(async (tx) => {
      await recordAct(tx, context, actor, act)
      throw new Error('changed my mind')
    })
    await expect(rolledBack).rejects.toThrow('changed my mind')
    expect(await chain(actor)).toEqual([])
  })

  it('refuses a detail that is named like a secret', async () => {
    await expect(record(actor, { after: { webhook_secret: 'x' } })).rejects.toThrow(
      'the audit log must not contain webhook_secret',
    )
  })
})

describe('the guard', () => {
  const refused = 'the audit log is append-only'

  it.each([
    ['a change of an unsealed row', `update kernel.audit_log set actor_id = 'someone else'`],
    ['a removal', 'delete from kernel.audit_log'],
    ['emptying the table', 'truncate kernel.audit_log'],
    [
      'a change together with a seal',
      `update kernel.audit_log
       set sequence = 9, hash = sha256(''), previous_hash = sha256(''), detail = '{}'`,
    ],
  ])('refuses %s', async (_what, statement) => {
    await record(actor, { number: 1 })
    await expect(database.sql.unsafe(statement)).rejects.toThrow(refused)
  })

  it('refuses to seal a row again', async () => {
    await record(actor, { number: 1 })
    await sealAuditLog(context)
    const again = database.sql`update kernel.audit_log set hash = sha256('')`
    await expect(again).rejects.toThrow(refused)
    const undone = database.sql`
      update kernel.audit_log
      set sequence = null, hash = null, previous_hash = null`
    await expect(undone).rejects.toThrow(refused)
  })

  it('refuses a row that comes sealed', async () => {
    await record(actor, { number: 1 })
    const copied = database.sql`
      insert into kernel.audit_log
      select business_id, environment, ${context.ids.uuid()}, at, actor_kind, actor_id, action,
        object_kind, object_id, detail, 1, sha256(''), sha256('')
      from kernel.audit_log`
    await expect(copied).rejects.toThrow('written unsealed')
  })
})

describe('sealing', () => {
  it('numbers and chains the acts of each tenant and environment apart', async () => {
    const inTest: Actor = { ...actor, environment: 'test' }
    const other = await newActor('live')
    await recordMany(actor, 3)
    await recordMany(inTest, 2)
    await recordMany(other, 1)
    expect(await sealAuditLog(context)).toBe(6)
    for (const [tenant, count] of [
      [actor, 3],
      [inTest, 2],
      [other, 1],
    ] as const) {
      const rows = await chain(tenant)
      expect(rows.map((row) => Number(row.sequence))).toEqual(
        Array.from({ length: count }, (_, index) => index + 1),
      )
      expect(rows[0]?.previousHash).toEqual(Buffer.alloc(32))
      for (const [index, row] of rows.slice(1).entries()) {
        expect(row.previousHash).toEqual(rows[index]?.hash)
      }
    }
    expect(await violations()).toEqual([])
    expect(await sealAuditLog(context)).toBe(0)
  })

  it('goes on over many batches', async () => {
    await database.transaction(async (tx) => {
      for (let number = 1; number <= 1201; number += 1) {
        await recordAct(tx, context, actor, { ...act, detail: { number } })
      }
    })
    expect(await sealAuditLog(context)).toBe(1201)
    expect(await violations()).toEqual([])
    const rows = await chain(actor)
    expect(rows.map((row) => row.number)).toEqual(rows.map((row) => Number(row.sequence)))
  })

  it('gives one gapless chain under concurrent commits and several sealers', async () => {
    let writing = true
    const sealers = [1, 2, 3].map(async () => {
      const own = contextOn(database, context.clock)
      while (writing) await sealAuditLog(own)
    })
    const writers = [1, 2, 3, 4].map(() => recordMany(actor, 50))
    await Promise.all(writers)
    writing = false
    await Promise.all(sealers)
    await sealAuditLog(context)
    const rows = await chain(actor)
    expect(rows.map((row) => Number(row.sequence))).toEqual(
      Array.from({ length: 200 }, (_, index) => index + 1),
    )
    expect(await violations()).toEqual([])
  })

  it('gives an act that commits late a later number', async () => {
    const recorded = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const late = database.transaction(async (tx) => {
      await recordAct(tx, context, actor, { ...act, detail: { number: 1 } })
      recorded.resolve()
      await gate.promise
    })
    await recorded.promise
    await record(actor, { number: 2 })
    await sealAuditLog(context)
    gate.resolve()
    await late
    await record(actor, { number: 3 })
    await sealAuditLog(context)
    expect((await chain(actor)).map((row) => row.number)).toEqual([2, 1, 3])
    expect(await violations()).toEqual([])
  })

  it('is done by its schedule', async () => {
    await record(actor, { number: 1 })
    await workerFor<Context>(context, { schedules: [sealAuditLogSchedule] }).drain()
    expect(await chain(actor)).toMatchObject([{ sequence: 1n }])
  })
})

describe('verification', () => {
  beforeEach(async () => {
    await recordMany(actor, 5)
    await sealAuditLog(context)
    expect(await violations()).toEqual([])
  })

  it.each([
    ['detail', `detail = '{"number": 30}'`],
    ['digit of a number that JavaScript would not show', `detail = '{"number": 3.0}'`],
    ['actor', `actor_id = 'someone else'`],
    ['action', `action = 'api_key.revoke'`],
    ['object', `object_id = 'key-2'`],
    ['time, by a microsecond', `at = at + interval '1 microsecond'`],
    ['id', `id = '019cf1a4-7d10-7c22-8f3e-0123456789ab'`],
  ])('finds a changed %s', async (_what, change) => {
    await tamper(`update kernel.audit_log set ${change} where sequence = 3`)
    expect(await violations()).toMatchObject([
      { businessId: actor.businessId, sequence: '3', problem: 'the row does not match its hash' },
    ])
  })

  it('finds acts that no one sealed for more than an hour', async () => {
    await record(actor)
    context.clock.advance(3_600_000)
    expect(await violations()).toEqual([])
    await record(actor)
    context.clock.advance(1)
    expect(await violations()).toMatchObject([
      { businessId: actor.businessId, problem: expect.stringContaining('not sealed') },
    ])
    const { sql } = context.database
    const { businessId } = actor
    await sql`
      insert into kernel.businesses (id, name, is_demo, created_at)
      values (${businessId}, 'Demo', true, now())
      on conflict (id) do update set is_demo = true`
    expect(await violations()).toEqual([])
    await sql`update kernel.businesses set is_demo = false where id = ${businessId}`
    await sealAuditLog(context)
    expect(await violations()).toEqual([])
  })

  it('finds a hash that was replaced', async () => {
    await tamper(`update kernel.audit_log set hash = sha256('forged') where sequence = 3`)
    expect(await violations()).toMatchObject([
      { sequence: '3', problem: 'the row does not match its hash' },
      { sequence: '4', problem: 'the row does not follow the one before it' },
    ])
  })

  it('finds acts removed from the middle, the beginning and the end', async () => {
    await tamper('delete from kernel.audit_log where sequence in (1, 3, 5)')
    expect(await violations()).toMatchObject([
      { sequence: '2', problem: 'rows before this one were removed' },
      { sequence: '4', problem: 'rows before this one were removed' },
      { sequence: '5', problem: 'the last rows were removed' },
    ])
  })

  it('finds a log that was emptied', async () => {
    await tamper('delete from kernel.audit_log')
    expect(await violations()).toMatchObject([
      { sequence: '5', problem: 'the last rows were removed' },
    ])
  })

  it('finds swapped hashes', async () => {
    await tamper(`
      update kernel.audit_log
      set hash = other.hash, previous_hash = other.previous_hash
      from (select sequence, hash, previous_hash from kernel.audit_log) as other
      where (audit_log.sequence, other.sequence) in ((2, 3), (3, 2))`)
    const problems = await violations()
    expect(problems).toContainEqual(
      expect.objectContaining({ sequence: '2', problem: 'the row does not match its hash' }),
    )
    expect(problems).toContainEqual(
      expect.objectContaining({ sequence: '3', problem: 'the row does not match its hash' }),
    )
  })

  it('finds acts that changed places', async () => {
    await tamper(`
      update kernel.audit_log set sequence = sequence + 100 where sequence in (2, 3)`)
    await tamper(`
      update kernel.audit_log set sequence = 105 - sequence where sequence > 100`)
    expect((await chain(actor)).map((row) => row.number)).toEqual([1, 3, 2, 4, 5])
    expect((await violations()).map((violation) => violation.sequence)).toContain('2')
  })

  it('finds a chain whose end was set back or removed', async () => {
    const { sql } = database
    await sql`
      update kernel.audit_chains
      set sequence = 4, hash = (select hash from kernel.audit_log where sequence = 4)`
    expect(await violations()).toMatchObject([
      { sequence: '5', problem: 'the chain continues after its recorded end' },
    ])
    await sql`delete from kernel.audit_chains`
    expect(await violations()).toMatchObject([
      { businessId: actor.businessId, problem: 'the recorded end of the chain is missing' },
    ])
  })

  it('finds an end that was rewritten together with its hash', async () => {
    await database.sql`update kernel.audit_chains set hash = sha256('forged')`
    expect(await violations()).toMatchObject([
      { sequence: '5', problem: 'the row is not the one that the chain ended with' },
    ])
  })

  it('looks at every chain', async () => {
    const other = await newActor('test')
    await recordMany(other, 2)
    await sealAuditLog(context)
    await tamper(`update kernel.audit_log set actor_id = 'someone else' where sequence = 2`)
    const found = await violations()
    expect(found.map((violation) => violation.businessId).sort()).toEqual(
      [actor.businessId, other.businessId].sort(),
    )
  })

  it('reports nothing while rows are being sealed', async () => {
    let writing = true
    const sealing = (async () => {
      for (let round = 0; round < 20; round += 1) {
        await recordMany(actor, 3)
        await sealAuditLog(context)
      }
      writing = false
    })()
    let looks = 0
    while (writing) {
      expect(await violations()).toEqual([])
      looks += 1
    }
    await sealing
    expect(looks).toBeGreaterThan(0)
  })
})
