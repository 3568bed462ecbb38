// TOTP seeds and backup codes at rest: encrypted with SECRETS_KEY like every other secret, each
// bound to its person and column, so that a seed can't be opened in another person's row.
//
// better-auth encrypts both with its own cipher, which binds them to nothing. It never sees what is
// stored here: its adapter is wrapped, and returns a seed in better-auth's cipher, for the moment
// of the check, and backup codes as a reference that `decrypt` opens.
import type { BetterAuthPlugin, DBAdapter, Where } from 'better-auth'
import { type SecretConfig, symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import { assert, assertDefined } from '../basics/assert.ts'
import type { Sql } from '../db/database.ts'
import { insideTransaction } from '../db/transaction.ts'
import type { Secrets } from './secrets.ts'
import {
  listUnsealedTwoFactors,
  type SealedFactor,
  updateTwoFactorSealed,
} from './two-factor-store.ts'

export const seedRow = (personId: string) => `kernel.two_factors.secret/${personId}`
export const backupCodesRow = (personId: string) => `kernel.two_factors.backup_codes/${personId}`

export function sealFactor(
  secrets: Secrets,
  personId: string,
  factor: { seed: string; backupCodes: readonly string[] },
): SealedFactor {
  return {
    secretSealed: secrets.seal(factor.seed, seedRow(personId)),
    backupCodesSealed: secrets.seal(JSON.stringify(factor.backupCodes), backupCodesRow(personId)),
  }
}

export function openFactor(
  secrets: Secrets,
  personId: string,
  { secretSealed, backupCodesSealed }: SealedFactor,
): { seed: string; backupCodes: string[] } {
  return {
    seed: secrets.open(secretSealed, seedRow(personId)).toString(),
    backupCodes: JSON.parse(secrets.open(backupCodesSealed, backupCodesRow(personId)).toString()),
  }
}

// Encrypts rows that better-auth had encrypted. Several processes may start at once: each row is
// changed only if it was not yet.
export async function sealOlderFactors(
  sql: Sql,
  secrets: Secrets,
  key: string | SecretConfig,
): Promise<void> {
  for (const { personId, secret, backupCodes } of await listUnsealedTwoFactors(sql)) {
    const seed = await symmetricDecrypt({ key, data: secret })
    const codes = await symmetricDecrypt({ key, data: backupCodes })
    await updateTwoFactorSealed(
      sql,
      personId,
      sealFactor(secrets, personId, { seed, backupCodes: JSON.parse(codes) }),
    )
  }
}

export function sealedSecondFactor(secrets: Secrets) {
  return {
    // For `backupCodeOptions` of the two-factor plugin. Codes are encrypted when they are written
    // to the database, where the person is known.
    storeBackupCodes: {
      encrypt: async (codes: string) => codes,
      decrypt: async (reference: string) => {
        const { personId, sealed } = readReference(reference)
        return secrets.open(sealed, backupCodesRow(personId)).toString()
      },
    },
    plugin: {
      id: 'sealed-second-factor',
      init: ({ adapter, secretConfig }) => {
        const encrypt = (seed: string) => symmetricEncrypt({ key: secretConfig, data: seed })
        return { context: { adapter: wrap(adapter, secrets, encrypt) } }
      },
    } satisfies BetterAuthPlugin,
  }
}

type StoredFactor = { userId: string; secret: unknown; backupCodes: unknown }

function wrap(
  adapter: DBAdapter,
  secrets: Secrets,
  encrypt: (seed: string) => Promise<string>,
): DBAdapter {
  const shown = async <T>(model: string, row: T | null): Promise<T | null> => {
    if (model !== 'twoFactor' || !row) return row
    const { userId, secret, backupCodes } = row as T & StoredFactor
    assert(Buffer.isBuffer(secret) && Buffer.isBuffer(backupCodes), 'a second factor is sealed')
    return {
      ...row,
      secret: await encrypt(secrets.open(secret, seedRow(userId)).toString()),
      backupCodes: makeReference(userId, backupCodes),
    }
  }
  return {
    ...adapter,
    // The guard against network calls inside a transaction also applies to better-auth's
    // transactions.
    transaction: (work) => insideTransaction(() => adapter.transaction(work)),
    findOne: async <T>(query: Parameters<DBAdapter['findOne']>[0]) =>
      shown(query.model, await adapter.findOne<T>(query)),
    async findMany(query) {
      assert(query.model !== 'twoFactor', 'second factors are read one at a time')
      return adapter.findMany(query)
    },
    async create(query) {
      assert(query.model !== 'twoFactor', 'createPerson makes second factors')
      return adapter.create(query)
    },
    update: async <T>(query: Parameters<DBAdapter['update']>[0]) => {
      if (query.model === 'twoFactor') assertKeepsSecrets(query.update)
      return shown(query.model, await adapter.update<T>(query))
    },
    incrementOne: async <T>(query: Parameters<DBAdapter['incrementOne']>[0]) => {
      const sealed = query.model === 'twoFactor' ? sealCodes(secrets, query) : query
      return shown(query.model, await adapter.incrementOne<T>(sealed))
    },
  }
}

// A used backup code is removed from the list, if the list is still as it was read.
function sealCodes<Q extends { where: Where[]; set?: Record<string, unknown> | undefined }>(
  secrets: Secrets,
  query: Q,
): Q {
  const { backupCodes, ...others } = query.set ?? {}
  assertKeepsSecrets(others)
  if (backupCodes === undefined) return query
  const condition = query.where.find(({ field }) => field === 'backupCodes')
  const reference = assertDefined(condition, 'backup codes change from what was read').value
  const { personId, sealed } = readReference(String(reference))
  const where = query.where.map((one) =>
    // better-auth's types have no bytes, but the database does.
    one === condition ? { ...one, value: sealed as unknown as string } : one,
  )
  const resealed = secrets.seal(String(backupCodes), backupCodesRow(personId))
  return { ...query, where, set: { ...others, backupCodes: resealed } }
}

function assertKeepsSecrets(update: Record<string, unknown>): void {
  assert(!('secret' in update || 'backupCodes' in update), 'a second factor is written sealed')
}

function makeReference(personId: string, sealed: Buffer): string {
  return `${personId}/${sealed.toString('base64')}`
}

function readReference(reference: string): { personId: string; sealed: Buffer } {
  const [personId, sealed] = reference.split(/\/(.*)/s)
  assert(personId && sealed, 'backup codes are referred to by person and text')
  return { personId, sealed: Buffer.from(sealed, 'base64') }
}
