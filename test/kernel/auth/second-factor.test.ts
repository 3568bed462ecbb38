// TOTP seeds and backup codes in the database, and signing in with them.
import { symmetricEncrypt } from 'better-auth/crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAuth } from '../../../src/kernel/auth/people-auth.ts'
import { totpSecretText } from '../../../src/kernel/auth/person-totp.ts'
import { createSecrets, peopleSecretRow } from '../../../src/kernel/auth/secrets.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'
import {
  browser,
  type PeopleWorld,
  password,
  peopleWorld,
  person,
  secretsKey,
  signedIn,
  type TestPerson,
} from '../../support/people.ts'

let database: TestDatabase
let world: PeopleWorld
const secrets = createSecrets([secretsKey])

beforeAll(async () => {
  database = await createDatabase()
  world = await peopleWorld(database)
})
afterAll(() => database.drop())

type Stored = { secret: string | null; secretSealed: Buffer; backupCodesSealed: Buffer }

async function stored(who: TestPerson): Promise<Stored> {
  const [row] = await database.sql<Stored[]>`
    select secret, secret_sealed, backup_codes_sealed
    from kernel.two_factors
    where person_id = ${who.personId}`
  if (!row) throw new Error('no second factor')
  return row
}

const open = (sealed: Buffer, row: string) => secrets.open(sealed, row).toString()
const prove = (who: TestPerson, code: string) =>
  world.people.verifyPasswordAndCode(who.email, password, code)

describe('at rest', () => {
  test('seed and backup codes are sealed under the ring, for their person and column', async () => {
    const who = await person(world)
    const other = await person(world)
    const { secret, secretSealed, backupCodesSealed } = await stored(who)
    const seedRow = `kernel.two_factors.secret/${who.personId}`
    const codesRow = `kernel.two_factors.backup_codes/${who.personId}`
    expect(secret).toBeNull()
    expect(totpSecretText(open(secretSealed, seedRow))).toBe(who.totpSecret)
    expect(JSON.parse(open(backupCodesSealed, codesRow))).toEqual(who.backupCodes)
    expect(() => open(secretSealed, codesRow)).toThrow('cannot be opened')
    const otherRow = `kernel.two_factors.secret/${other.personId}`
    expect(() => open(secretSealed, otherRow)).toThrow('cannot be opened')
  })

  test("a seed put into another person's row opens nothing there", async () => {
    const thief = await person(world)
    const victim = await person(world)
    const { secretSealed, backupCodesSealed } = await stored(thief)
    await database.sql`
      update kernel.two_factors
      set secret_sealed = ${secretSealed},
        backup_codes_sealed = ${backupCodesSealed}
      where person_id = ${victim.personId}`
    await expect(prove(victim, thief.code())).rejects.toThrow('cannot be opened')
    await expect(prove(victim, thief.backupCodes?.[0] ?? '')).rejects.toThrow()
    expect(await prove(thief, thief.code())).toEqual({ personId: thief.personId })
  })

  test('a used backup code leaves the rest sealed anew', async () => {
    const who = await person(world)
    const [first = '', ...others] = who.backupCodes ?? []
    expect(await prove(who, first)).toBeDefined()
    const { backupCodesSealed } = await stored(who)
    const codesRow = `kernel.two_factors.backup_codes/${who.personId}`
    expect(JSON.parse(open(backupCodesSealed, codesRow))).toEqual(others)
    expect(await prove(who, first)).toBeUndefined()
  })
})

describe('what better-auth encrypted before', () => {
  async function older(who: TestPerson): Promise<void> {
    const [row] = await database.sql<{ sealed: Buffer }[]>`
      select sealed
      from kernel.people_secrets`
    const secret = secrets.open(row?.sealed ?? Buffer.alloc(0), peopleSecretRow).toString('base64')
    const { publicUrl } = world.people
    const auth = createAuth(world.context, { publicUrl, secret, secrets })
    const { secretConfig: key } = await auth.$context
    const { secretSealed } = await stored(who)
    const seed = open(secretSealed, `kernel.two_factors.secret/${who.personId}`)
    const codes = JSON.stringify(who.backupCodes)
    await database.sql`
      update kernel.two_factors
      set secret_sealed = null,
        backup_codes_sealed = null,
        secret = ${await symmetricEncrypt({ key, data: seed })},
        backup_codes = ${await symmetricEncrypt({ key, data: codes })}
      where person_id = ${who.personId}`
  }

  test('is sealed by the next start, also by several at once, and still works', async () => {
    const people = [await person(world), await person(world)]
    for (const who of people) await older(who)
    await Promise.all([peopleWorld(database), peopleWorld(database)])
    for (const who of people) {
      const { secret, secretSealed } = await stored(who)
      expect(secret).toBeNull()
      const seed = open(secretSealed, `kernel.two_factors.secret/${who.personId}`)
      expect(totpSecretText(seed)).toBe(who.totpSecret)
      const visitor = await signedIn(world, who)
      expect(await world.people.findSession(visitor.headers())).toMatchObject({
        personId: who.personId,
        secondFactor: 'proven',
      })
      const next = browser(world)
      await next.post('/sign-in', { email: who.email, password })
      await next.post('/sign-in/code', { code: who.backupCodes?.[2] ?? '' })
      expect(await world.people.findSession(next.headers())).toBeDefined()
    }
  })
})
