import { z } from 'zod'
import type { Actor } from '../auth/actor.ts'
import { type IssuedKey, issueApiKey, type KeyIssuer } from '../auth/issue-api-key.ts'
import { listMembers } from '../auth/membership-store.ts'
import { parseRange } from '../basics/address.ts'
import { assertDefined } from '../basics/assert.ts'
import { invalidField } from '../basics/fault.ts'
import { isOneLine } from '../basics/one-line.ts'
import type { Tx } from '../db/database.ts'
import { adminRoles } from '../operations/permission.ts'
import { dateTime, uuid } from '../operations/schemas.ts'
import { defineOperation } from './define-operation.ts'

// The database has the same limit.
const nameMax = 100

const keyName = z
  .string()
  .refine((name) => name !== '' && [...name].length <= nameMax && isOneLine(name), {
    error: `Enter one line of at most ${nameMax} characters.`,
  })

const addresses = z.array(z.string()).superRefine((texts, refinement) => {
  for (const text of texts.filter((one) => !parseRange(one))) {
    refinement.addIssue({ code: 'custom', message: `${text} is not an address or CIDR range.` })
  }
})

// The key belongs to the actor's environment. Its text exists only in the response.
export function createApiKeyOperation(issuers: readonly KeyIssuer[]) {
  const services = issuers.map(({ name }) => name)
  return defineOperation({
    name: 'create-api-key',
    summary: 'Create an API key; shows it once',
    kind: 'write',
    input: z.strictObject({
      service: z.string().refine((name) => services.includes(name), {
        error: `Must be one of: ${services.join(', ')}.`,
      }),
      name: keyName,
      scopes: z.array(z.string()).min(1, { error: 'Name at least one scope.' }),
      // Empty means that it works from everywhere.
      allowedAddresses: addresses.default([]),
      expiresAt: dateTime().optional(),
      // The member who is responsible for it. People are responsible for the keys that they create.
      createdBy: uuid().optional(),
    }),
    scopes: [],
    roles: adminRoles,
    async run(context, actor, { service, createdBy, expiresAt = null, ...wanted }) {
      const issuer = assertDefined(
        issuers.find(({ name }) => name === service),
        'a service that passed the schema',
      )
      requireKnown(issuer, wanted.scopes)
      if (expiresAt && expiresAt <= context.clock.now()) {
        throw invalidField('expiresAt', 'The expiry is in the past.')
      }
      const { environment } = actor
      return context.database.transaction(async (tx): Promise<IssuedKey> => {
        const creator = await requireCreator(tx, actor, createdBy)
        const key = { ...wanted, environment, expiresAt, createdBy: creator }
        return issueApiKey(tx, context, actor, issuer, key)
      })
    },
  })
}

function requireKnown(issuer: KeyIssuer, scopes: readonly string[]): void {
  const unknown = scopes.filter((scope) => !issuer.scopes.includes(scope))
  if (unknown.length === 0) return
  throw invalidField(
    'scopes',
    `Unknown: ${unknown.join(', ')}. Scopes: ${issuer.scopes.join(', ')}.`,
  )
}

// The creator of a key must not approve what the key requests, so every key names a person.
async function requireCreator(
  tx: Tx,
  actor: Actor,
  createdBy: string | undefined,
): Promise<string> {
  if (actor.kind === 'person') {
    if (createdBy === undefined || createdBy === actor.personId) return actor.personId
    throw invalidField('createdBy', 'You are responsible for the keys that you create.')
  }
  const members = await listMembers(tx, actor.businessId)
  if (createdBy !== undefined && members.some(({ personId }) => personId === createdBy)) {
    return createdBy
  }
  throw invalidField('createdBy', 'Must be a member of the business.')
}
