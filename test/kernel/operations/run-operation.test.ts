// The one place that runs operations: permissions, the order of checks, and what an operation must
// record.
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Actor, Role } from '../../../src/kernel/auth/actor.ts'
import { recordAct } from '../../../src/kernel/auth/audit-log.ts'
import { permissionDenied } from '../../../src/kernel/basics/fault.ts'
import { type Operation, operationsOf } from '../../../src/kernel/operations/operation.ts'
import { mayCall } from '../../../src/kernel/operations/permission.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import type { ServiceContext } from '../../../src/kernel/operations/service-context.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const defineOperation = operationsOf<ServiceContext>()

const note = {
  name: 'note-something',
  summary: 'Note something',
  kind: 'write',
  input: z.strictObject({ text: z.string().min(1) }),
  scopes: ['payments:read'],
  roles: ['owner'],
  async run(context, actor, { text }) {
    const id = context.ids.uuid()
    await context.database.transaction(async (tx) => {
      await context.call.claimKey(tx, id)
      await recordAct(tx, context, actor, {
        action: 'note.create',
        objectKind: 'note',
        objectId: id,
      })
    })
    return { id, text }
  },
} satisfies Operation<ServiceContext, z.ZodType<{ text: string }>>

const noteOnce = defineOperation({
  ...note,
  idempotency: { name: 'test_notes', replay: async (_context, _actor, id) => ({ id, text: '' }) },
})

async function tenant() {
  return { businessId: await world().business(), environment: 'live' } as const
}

async function person(role: Role): Promise<Actor> {
  const personId = world().context.ids.uuid()
  return { ...(await tenant()), kind: 'person', personId, role }
}

async function key(...scopes: string[]): Promise<Actor> {
  const ids = { keyId: world().context.ids.uuid(), createdBy: world().context.ids.uuid() }
  return { ...(await tenant()), kind: 'key', ...ids, scopes: new Set(scopes) }
}

const system = async (): Promise<Actor> => ({ ...(await tenant()), kind: 'system', name: 'test' })

const run = (operation: Operation<ServiceContext>, actor: Actor, input: unknown, key?: string) =>
  runOperation(operation, world().context, actor, input, { idempotencyKey: key })

describe('permission', () => {
  it.each([
    ['a key with the scope', () => key('payments:read'), true],
    ['a key with another scope', () => key('payouts:read'), false],
    ['a person with the role', () => person('owner'), true],
    ['a person with another role', () => person('viewer'), false],
    ['the operator', system, true],
  ])('%s', async (_name, make, isAllowed) => {
    const actor = await make()
    expect(mayCall(noteOnce, actor)).toBe(isAllowed)
    const call = run(noteOnce, actor, { text: 'a' })
    if (isAllowed) await expect(call).resolves.toMatchObject({ text: 'a' })
    else await expect(call).rejects.toMatchObject({ kind: 'permission_denied' })
  })

  it('refuses every key where no scope is documented', async () => {
    const closed = defineOperation({ ...note, scopes: [] })
    await expect(run(closed, await key('payments:read'), { text: 'a' })).rejects.toThrow(
      'An API key cannot do this.',
    )
  })

  it('refuses the operator where a person has to decide', async () => {
    const decision = defineOperation({ ...note, peopleOnly: true })
    await expect(run(decision, await system(), { text: 'a' })).rejects.toThrow('Only a person')
  })

  it('is checked before the input, and scopes that depend on the input after it', async () => {
    const strict = defineOperation({ ...note, inputScopes: () => ['payouts:read'] })
    await expect(run(strict, await key(), { text: '' })).rejects.toMatchObject({
      kind: 'permission_denied',
    })
    const actor = await key('payments:read')
    await expect(run(strict, actor, { text: '' })).rejects.toMatchObject({
      kind: 'invalid_request',
    })
    await expect(run(strict, actor, { text: 'a' })).rejects.toThrow('payouts:read')
  })
})

describe('idempotency', () => {
  it('returns the object of the first call, before any check of a new one', async () => {
    const actor = await person('owner')
    const refuse = () => {
      throw permissionDenied('not any more')
    }
    const first = await run(noteOnce, actor, { text: 'a' }, 'key-1')
    const closed = { ...noteOnce, checks: [refuse] }
    await expect(run(closed, actor, { text: 'a' }, 'key-1')).resolves.toMatchObject({
      id: (first as { id: string }).id,
    })
    await expect(run(closed, actor, { text: 'a' }, 'key-2')).rejects.toThrow('not any more')
  })

  it('gives concurrent calls with one key one object', async () => {
    const actor = await person('owner')
    const results = await Promise.all(
      Array.from({ length: 8 }, () => run(noteOnce, actor, { text: 'a' }, 'race')),
    )
    expect(new Set(results.map((result) => (result as { id: string }).id)).size).toBe(1)
  })

  it('uses up no key when the call is refused', async () => {
    const actor = await person('owner')
    const failing = defineOperation({
      ...noteOnce,
      async run(context, _actor, _input): Promise<{ id: string; text: string }> {
        await context.database.transaction(async (tx) => {
          await context.call.claimKey(tx, context.ids.uuid())
          throw permissionDenied('not today')
        })
        return { id: '', text: '' }
      },
    })
    await expect(run(failing, actor, { text: 'a' }, 'key-1')).rejects.toThrow('not today')
    await expect(run(noteOnce, actor, { text: 'b' }, 'key-1')).resolves.toMatchObject({ text: 'b' })
  })
})

describe('in tests', () => {
  it('a write without an audit row fails', async () => {
    const silent = defineOperation({ ...note, run: async () => undefined })
    await expect(run(silent, await system(), { text: 'a' })).rejects.toThrow('wrote no audit row')
  })

  it('a write that says it changed nothing passes', async () => {
    const unchanged = defineOperation({
      ...note,
      run: async ({ call }) => call.nothingChanged(),
    })
    await expect(run(unchanged, await system(), { text: 'a' })).resolves.toBeUndefined()
  })

  it('an operation that ignores its key fails', async () => {
    const careless = defineOperation({
      ...noteOnce,
      async run(context, actor) {
        await context.database.transaction((tx) =>
          recordAct(tx, context, actor, {
            action: 'note.create',
            objectKind: 'note',
            objectId: 'a',
          }),
        )
        return { id: 'a', text: '' }
      },
    })
    await expect(run(careless, await system(), { text: 'a' })).rejects.toThrow('claim its key')
  })
})
