// The simulated verifier, under /identity. Names decide the outcome: a business or an owner called
// "Reject Me" is rejected, and one called "Wait For Me" is decided only after two minutes. Every
// call can be repeated; the first one with a reference counts.
import { createHash } from 'node:crypto'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { addSeconds } from '../../kernel/basics/clock.ts'
import { isUuid } from '../../kernel/basics/id.ts'
import type { Endpoint } from '../endpoint.ts'
import { success } from '../envelope.ts'
import { type Fields, optionalList, refuse, requiredText } from '../fields.ts'
import {
  findCheckByReference,
  findReview,
  insertCheck,
  insertReview,
  insertReviewDocument,
  listReviewDocuments,
} from './identity-store.ts'

export const identityPath = '/simulator/identity'

const referenceMax = 100
const waitSeconds = 120

const createCheck: Endpoint = {
  method: 'POST',
  path: '/checks',
  async handle({ database, ids, clock, publicUrl }, { tenant }, { body }) {
    const reference = requiredText(body, 'reference', referenceMax)
    await insertCheck(database.sql, tenant, {
      id: ids.uuid(),
      reference,
      personName: requiredText(body, 'person_name'),
      returnUrl: requiredText(body, 'return_url'),
      status: 'waiting',
      createdAt: clock.now(),
    })
    const check = await findCheckByReference(database.sql, tenant, reference)
    const { id } = assertDefined(check, 'a check vanished')
    return success('Check created', { url: `${publicUrl}${identityPath}/${id}` })
  },
}

const getCheck: Endpoint = {
  method: 'GET',
  path: '/checks/:reference',
  async handle({ database }, { tenant }, { params }) {
    const check = await findCheckByReference(database.sql, tenant, params.reference ?? '')
    return success('Check fetched', { status: check?.status ?? 'unknown' })
  },
}

// Checks the hash of the content and discards it.
const takeDocument: Endpoint = {
  method: 'POST',
  path: '/documents',
  async handle({ database }, { tenant }, { body }) {
    const { id, content } = body
    if (typeof id !== 'string' || !isUuid(id)) throw refuse('id must be a UUID')
    if (typeof content !== 'string') throw refuse('content is required')
    const sha256 = createHash('sha256').update(Buffer.from(content, 'base64')).digest('hex')
    if (sha256 !== body.sha256) throw refuse('content does not match sha256')
    const reference = requiredText(body, 'reference', referenceMax)
    await insertReviewDocument(database.sql, tenant, { reference, id, sha256 })
    return success('Document received', { id })
  },
}

const createReview: Endpoint = {
  method: 'POST',
  path: '/reviews',
  async handle({ database, clock }, { tenant }, { body }) {
    const reference = requiredText(body, 'reference', referenceMax)
    const received = await listReviewDocuments(database.sql, tenant, reference)
    const isComplete = optionalList(body, 'documents').every((wanted) =>
      received.some(({ id, sha256 }) => id === wanted.id && sha256 === wanted.sha256),
    )
    if (!isComplete) throw refuse('a document is missing')
    const names = namesIn(body)
    const isCalled = (magic: string) => names.some((name) => name.includes(magic))
    const now = clock.now()
    const isRejected = isCalled('reject me')
    await insertReview(database.sql, tenant, {
      reference,
      decision: isRejected ? 'rejected' : 'verified',
      reason: isRejected ? rejection : null,
      decidedAt: addSeconds(now, isCalled('wait for me') ? waitSeconds : 0),
      createdAt: now,
    })
    return success('Review started', { reference })
  },
}

const rejection =
  'The certificate of registration could not be read. Upload a scan that shows the whole page, ' +
  'and make sure that the name is the one in the register.'

const getReview: Endpoint = {
  method: 'GET',
  path: '/reviews/:reference',
  async handle({ database, clock }, { tenant }, { params }) {
    const review = await findReview(database.sql, tenant, params.reference ?? '')
    if (!review) return success('Review fetched', { status: 'unknown' })
    const isDecided = clock.now() >= review.decidedAt
    const { decision: status, reason } = review
    return success('Review fetched', isDecided ? { status, reason } : { status: 'waiting' })
  },
}

function namesIn(body: Fields): string[] {
  const owners = optionalList(body, 'owners').map((owner) => requiredText(owner, 'name'))
  return [requiredText(body, 'legal_name'), ...owners].map((name) => name.toLowerCase())
}

export const identityEndpoints: readonly Endpoint[] = [
  createCheck,
  getCheck,
  takeDocument,
  createReview,
  getReview,
]
