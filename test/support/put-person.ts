// A person with a weak hash of the password. The hash says its own costs, so signing in works as
// with a strong one, which would take 60 ms to make and as long to check; most tests do both.

import { makeSecondFactor } from '../../src/kernel/auth/make-second-factor.ts'
import type { CreatedPerson } from '../../src/kernel/auth/person.ts'
import { insertPassword, insertPerson } from '../../src/kernel/auth/person-store.ts'
import type { Secrets } from '../../src/kernel/auth/secrets.ts'
import { insertTwoFactor } from '../../src/kernel/auth/two-factor-store.ts'
import type { Context } from '../../src/kernel/db/context.ts'

// Of the password in people.ts.
const weakHash =
  '$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$wZeUqErRQM9fr7+3IJVQyFsb5QPhYeqkXwNGZgBH/L4'

export type PersonContext = Pick<Context, 'database' | 'clock' | 'ids'> & {
  readonly secrets: Secrets
}

export async function putPerson(
  { database, clock, ids, secrets }: PersonContext,
  wanted: { email?: string; name?: string; totp?: boolean } = {},
): Promise<CreatedPerson & { email: string }> {
  const personId = ids.uuid()
  const { email = `${personId}@example.com`, name = 'Ada Example', totp = true } = wanted
  const createdAt = clock.now()
  const factor = totp ? makeSecondFactor({ ids }, secrets, { personId, email }) : undefined
  const person = { id: personId, email, name, twoFactorEnabled: totp, createdAt }
  await database.transaction(async (tx) => {
    await insertPerson(tx, person)
    await insertPassword(tx, { id: ids.uuid(), personId, password: weakHash, createdAt })
    if (factor) await insertTwoFactor(tx, { id: ids.uuid(), personId, ...factor.stored })
  })
  return { personId, email, ...factor?.shown }
}
