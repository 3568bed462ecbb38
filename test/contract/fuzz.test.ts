// Requests generated from the OpenAPI documents, for every route. They are the same in every run;
// FUZZ_SEED makes others, FUZZ_RUNS more of the long ones.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mutations } from '../support/mutations.ts'
import { type Described, expectAsDescribed, operations } from '../support/openapi.ts'
import { payer } from '../support/payouts.ts'
import { send } from '../support/raw-http.ts'
import { knownContactId } from '../support/request-rules.ts'
import { type FuzzRequest, validRequests } from '../support/valid-requests.ts'
import { useWorld } from '../support/world.ts'

const seed = Number(process.env.FUZZ_SEED ?? 20261115)
const runs = Number(process.env.FUZZ_RUNS ?? 40)

const world = useWorld()
const keys = new Map<string, string>()
let secretWords: RegExp

beforeAll(async () => {
  // Rich enough for every payout that is asked for.
  const { tenant } = await payer(world(), { availableMinor: 10n ** 14n })
  for (const { service } of operations) {
    const name = service.name as 'merchant' | 'books'
    const { text } = await world().key({ service: name, ...tenant })
    keys.set(service.name, text)
  }
  await world().database.sql`
    insert into books.contacts (
      business_id, environment, id, name, is_customer, is_supplier, payment_terms_days, active,
      created_at
    )
    values (
      ${tenant.businessId}, ${tenant.environment}, ${knownContactId}, 'Customer', true, false, 30,
      true, ${new Date()}
    )`
  const tables = await world().database.sql<{ name: string }[]>`
    select table_name as name
    from information_schema.tables
    where table_schema in ('kernel', 'merchant', 'books')
      and table_name like '%\\_%'`
  const names = tables.map(({ name }) => name)
  expect(names).toContain('idempotency_keys')
  secretWords = new RegExp(
    [...names, ...internals].map((word) => word.replaceAll('.', '\\.')).join('|'),
    'i',
  )
})

// What only this program knows of itself.
const internals = ['postgres', 'node_modules', 'node:', '.ts:', '.js:', 'fastify', 'zod', 'FST_ERR']
internals.push('ExactNumber', 'ECONN', 'constraint', 'relation "', 'syntax error', 'stack')

async function ask(described: Described, made: FuzzRequest) {
  const path = described.service.basePath + made.path
  const authorization = ['authorization', `Bearer ${keys.get(described.service.name)}`] as const
  const headers = [authorization, ...made.headers]
  const result = await send(world().baseUrl, {
    method: described.method,
    path,
    headers,
    body: made.body,
  })
  expect(result.status).toBeLessThan(500)
  expectAsDescribed(described.method, path, result)
  // The id of the request is random, and may spell a word.
  const told = result.text.replaceAll(result.headers.get('x-request-id') ?? '', '')
  if (result.status >= 400) expect(told).not.toMatch(secretWords)
  return result
}

// By operation: how a valid request is refused because of what the business is, here verified.
const refusedByState: Readonly<Record<string, number>> = { createVerification: 409 }

describe(`three of each with the seed ${seed}`, () => askEveryRoute(3))

describe(`many with the seed ${seed}`, { tags: ['long'] }, () => askEveryRoute(runs))

afterAll(() => {
  const errors = world().logLines.filter((line) => line.includes('"level":"error"'))
  expect(errors).toEqual([])
})

function askEveryRoute(numRuns: number): void {
  const property = <T>(arbitrary: fc.Arbitrary<T>, check: (value: T) => Promise<void>) =>
    fc.assert(fc.asyncProperty(arbitrary, check), { seed, numRuns, endOnFailure: true })

  describe.each(operations)('$service.name $method $path', (described) => {
    // covers: The machine-readable description is kept in step with the implementation
    it('takes every valid request', async () => {
      await property(validRequests(described), async (made) => {
        const { status, text } = await ask(described, made)
        expect(status, text).not.toBe(400)
        if (status === refusedByState[described.operation.operationId]) return
        // A path may name an object that is not there.
        if (!described.path.includes('{')) expect(status, text).toBeLessThan(400)
      })
    })

    // covers: Bodies never contain internal detail
    // covers: 400 invalid_request: invalid input or a broken business rule
    it.each(mutations(described))('withstands $name', async ({ request, mustBeRefused }) => {
      await property(request, async (made) => {
        const { status, text } = await ask(described, made)
        if (mustBeRefused) expect([400, 404], text).toContain(status)
      })
    })
  })
}
