// Creates a person with a password and, on request, a second factor. The password is hashed before
// the transaction starts, because that takes a while.
import { assert } from '../basics/assert.ts'
import { Fault, invalidField } from '../basics/fault.ts'
import { isOneLine, withoutDirectionMarks } from '../basics/one-line.ts'
import type { Context } from '../db/context.ts'
import type { Tx } from '../db/database.ts'
import { sqlState } from '../db/database-errors.ts'
import { makeSecondFactor } from './make-second-factor.ts'
import {
  type CreatedPerson,
  type NewPerson,
  type NewSecondFactor,
  normaliseEmail,
} from './person.ts'
import { assertPasswordAcceptable, hashPassword, makePassword } from './person-password.ts'
import { insertPassword, insertPerson } from './person-store.ts'
import type { Secrets } from './secrets.ts'
import { insertTwoFactor } from './two-factor-store.ts'

type PersonContext = Pick<Context, 'database' | 'clock' | 'ids'>

// `within` runs in the same transaction, for example to add a membership.
export async function createPerson(
  context: PersonContext,
  secrets: Secrets,
  person: NewPerson,
  within?: (tx: Tx, personId: string) => Promise<void>,
): Promise<CreatedPerson> {
  const email = normaliseEmail(person.email)
  if (!email) throw invalidField('email', 'Enter an e-mail address, such as name@example.com.')
  const name = withoutDirectionMarks(person.name).trim()
  if (name.length === 0 || name.length > 200 || !isOneLine(name)) {
    throw invalidField('name', 'Enter a name of at most 200 characters, in one line.')
  }
  assertPasswordAcceptable(person.password)
  const { ids } = context
  const personId = ids.uuid()
  const password = await hashPassword(ids, person.password)
  const createdAt = context.clock.now()
  const factor = person.totp ? makeSecondFactor(context, secrets, { personId, email }) : undefined
  await context.database.transaction(async (tx) => {
    const twoFactorEnabled = factor !== undefined
    await insertUnlessTaken(tx, { id: personId, email, name, twoFactorEnabled, createdAt })
    await insertPassword(tx, { id: ids.uuid(), personId, password, createdAt })
    if (factor) await insertTwoFactor(tx, { id: ids.uuid(), personId, ...factor.stored })
    await within?.(tx, personId)
  })
  return { personId, ...factor?.shown }
}

export type NewCredentials = NewSecondFactor & {
  readonly personId: string
  readonly password: string
}

// With a random password and a second factor, which only the caller sees.
export async function createPersonWithCredentials(
  context: PersonContext,
  secrets: Secrets,
  person: Pick<NewPerson, 'name' | 'email'>,
  within: (tx: Tx, personId: string) => Promise<void>,
): Promise<NewCredentials> {
  const password = makePassword(context.ids)
  const wanted = { ...person, password, totp: true }
  const { personId, ...factor } = await createPerson(context, secrets, wanted, within)
  const { totpSecret, otpauthUrl, backupCodes } = factor
  assert(totpSecret && otpauthUrl && backupCodes, 'a second factor was wanted')
  return { personId, password, totpSecret, otpauthUrl, backupCodes }
}

async function insertUnlessTaken(
  tx: Tx,
  person: Parameters<typeof insertPerson>[1],
): Promise<void> {
  try {
    await insertPerson(tx, person)
  } catch (error) {
    if (sqlState(error) !== '23505') throw error
    throw new Fault('conflict', 'A person with this e-mail address already has an account.', {
      cause: error,
    })
  }
}
