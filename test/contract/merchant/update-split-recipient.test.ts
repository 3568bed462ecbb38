import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { merchantScopes } from '../../../src/merchant/scopes.ts'
import { useContract } from '../../support/openapi.ts'
import { recipientBody } from '../../support/recipients.ts'

const { world, call } = useContract()
const base = '/merchant/api/v1/split-recipients'

async function recipient() {
  const { text, businessId } = await world().key({ service: 'merchant' })
  const { body: made } = await call('POST', base, { key: text, body: recipientBody() })
  const keyWith = async (scopes: readonly string[]) =>
    (await world().key({ service: 'merchant', businessId, scopes })).text
  return {
    businessId,
    made,
    keyWith,
    patch: (body: unknown, key = text) => call('PATCH', `${base}/${made.id}`, { key, body }),
    acts: async () =>
      (
        await world().database.sql<{ action: string }[]>`
          select action
          from kernel.audit_log
          where business_id = ${businessId}
            and object_id = ${made.id}
          order by id`
      )
        .map(({ action }) => action)
        .slice(2),
  }
}

describe('200', () => {
  // covers: A recipient has an `id` (uuid) and can be marked verified or disabled
  // covers: A recipient has verified and disabled flags set through PATCH
  // covers: body `{verified?: boolean, disabled?: boolean}`: 200 updated
  it('sets and takes back each flag, and writes who did into the audit log', async () => {
    const { made, patch, acts } = await recipient()
    const steps = [{ verified: true }, { disabled: true }, { verified: false }, { disabled: false }]
    let expected = made
    for (const step of steps) {
      const { status, body } = await patch(step)
      expected = { ...expected, ...step, updated_at: body.updated_at }
      expect(status).toBe(200)
      expect(body).toEqual(expected)
    }
    expect(await acts()).toEqual([
      'split_recipient.verify',
      'split_recipient.disable',
      'split_recipient.unverify',
      'split_recipient.enable',
    ])
  })

  // covers: body `{verified?: boolean, disabled?: boolean}`: 200 updated
  it('sets both at once for a key with both scopes', async () => {
    const { patch, keyWith, acts } = await recipient()
    const key = await keyWith(['recipients:verify', 'recipients:disable'])
    const { body } = await patch({ verified: true, disabled: true }, key)
    expect(body).toMatchObject({ verified: true, disabled: true })
    expect(await acts()).toEqual(['split_recipient.verify', 'split_recipient.disable'])
  })

  it('changes and records nothing when nothing is sent or nothing is new', async () => {
    const { made, patch, acts } = await recipient()
    for (const body of [{}, undefined, { verified: false }, { disabled: false, verified: false }]) {
      const answer = await patch(body)
      expect([answer.status, answer.body]).toEqual([200, made])
    }
    expect(await acts()).toEqual([])
  })

  // covers: PATCH /split-recipients/{id}, recipients:verify for `verified`
  it('needs only the scope of the field that is sent', async () => {
    const { patch, keyWith } = await recipient()
    const verify = await keyWith(['recipients:verify'])
    const disable = await keyWith(['recipients:disable'])
    expect((await patch({ verified: true }, verify)).status).toBe(200)
    expect((await patch({ disabled: true }, disable)).status).toBe(200)
  })

  it('loses no change when both flags are set at the same moment by two keys', async () => {
    const { patch } = await recipient()
    await Promise.all([patch({ verified: true }), patch({ disabled: true })])
    expect((await patch({})).body).toMatchObject({ verified: true, disabled: true })
  })
})

describe('400', () => {
  it.each([
    // covers: body `{verified?: boolean, disabled?: boolean}`: 200 updated
    ['a text', 'verified', { verified: 'true' }],
    // covers: body `{verified?: boolean, disabled?: boolean}`: 200 updated
    ['a number', 'disabled', { disabled: 1 }],
    // covers: body `{verified?: boolean, disabled?: boolean}`: 200 updated
    ['null', 'disabled', { disabled: null }],
    ['an unknown field', 'name', { name: 'Another' }],
  ])('is the answer to %s', async (_, field, body) => {
    const { patch, acts } = await recipient()
    const answer = await patch(body)
    expect(answer.status).toBe(400)
    expect(Object.keys(answer.body.error.fieldErrors)).toEqual([field])
    expect(await acts()).toEqual([])
  })
})

describe('403', () => {
  it.each([
    // covers: PATCH /split-recipients/{id}, recipients:verify for `verified`
    ['verified', { verified: true }, 'recipients:disable', 'recipients:verify'],
    // covers: PATCH /split-recipients/{id}, recipients:verify for `verified`
    ['disabled', { disabled: true }, 'recipients:verify', 'recipients:disable'],
    // covers: PATCH /split-recipients/{id}, recipients:verify for `verified`
    ['both', { verified: true, disabled: true }, 'recipients:verify', 'recipients:disable'],
    ['both', { verified: true, disabled: true }, 'recipients:disable', 'recipients:verify'],
  ])('is the answer to %s without its scope, and nothing changes', async (_, body, has, lacks) => {
    const { made, patch, keyWith, acts } = await recipient()
    const answer = await patch(body, await keyWith([has]))
    expect(answer.status).toBe(403)
    expect(answer.body.error).toContain(lacks)
    expect((await patch({})).body).toEqual(made)
    expect(await acts()).toEqual([])
  })

  it('is the answer to a key with neither scope, also when nothing is sent', async () => {
    const { patch, keyWith } = await recipient()
    const others = merchantScopes.filter((scope) => !/verify|disable/.test(scope))
    expect((await patch({}, await keyWith(others))).status).toBe(403)
  })
})

describe('404', () => {
  it('is the answer to a recipient that there is not', async () => {
    const { text } = await world().key({ service: 'merchant' })
    const path = `${base}/${randomUUID()}`
    const { status, body } = await call('PATCH', path, { key: text, body: { verified: true } })
    expect([status, body.error]).toEqual([404, 'No such split recipient.'])
  })
})
