import { randomBytes } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import { createBusiness } from '../../../src/app/create-business.ts'
import { resealSecrets } from '../../../src/app/reseal-secrets.ts'
import { createSecrets } from '../../../src/kernel/auth/secrets.ts'
import { documentRow } from '../../../src/merchant/verification/document.ts'
import { insertDocument } from '../../../src/merchant/verification/document-store.ts'
import { insertOwner, listOwners } from '../../../src/merchant/verification/dossier-store.ts'
import { ownerRow } from '../../../src/merchant/verification/owner.ts'
import { hashToken, tokenRow } from '../../../src/merchant/verification/session.ts'
import { findSession, insertSession } from '../../../src/merchant/verification/session-store.ts'
import { createDatabase } from '../../support/database.ts'
import { contextOn } from '../../support/jobs.ts'
import { pdf } from '../../support/verification.ts'

it('brings tokens, birthdays and documents under a new key', async () => {
  const database = await createDatabase()
  onTestFinished(() => database.drop())
  const context = contextOn(database)
  const old = { version: 1, key: randomBytes(32) }
  const recent = { version: 2, key: randomBytes(32) }
  const before = createSecrets([old])
  const now = context.clock.now()
  const id = context.ids.uuid()
  const documentIds = [context.ids.uuid(), context.ids.uuid(), context.ids.uuid()]
  const tenant = await database.transaction(async (tx) => {
    const businessId = await createBusiness(tx, context, 'test', {
      name: 'Corner shop',
      country: 'NG',
      baseCurrency: 'NGN',
      contactEmail: 'shop@example.com',
      contactPhone: null,
      kycStatus: 'unverified',
      isDemo: false,
    })
    const live = { businessId, environment: 'live' } as const
    await insertSession(tx, live, {
      id,
      status: 'open',
      tokenHash: hashToken('token'),
      tokenSealed: before.seal('token', tokenRow(id)),
      identityOwnerId: null,
      identityAttempts: 0,
      identityStatus: 'none',
      rejectionReason: null,
      createdAt: now,
      updatedAt: now,
      expiresAt: now,
      submittedAt: null,
      decidedAt: null,
      nextLookAt: null,
    })
    const bornOnSealed = before.seal('1980-12-31', ownerRow(id))
    const owner = { id, name: 'Ada Obi', shareBasisPoints: 100, bornOnSealed, createdAt: now }
    await insertOwner(tx, live, owner)
    for (const documentId of documentIds) {
      const document = {
        id: documentId,
        kind: 'address',
        fileName: 'bill.pdf',
        contentType: 'application/pdf',
        byteCount: pdf.length,
        sha256: Buffer.from(documentId),
        submittedAt: null,
        uploadedAt: now,
      } as const
      await insertDocument(tx, live, document, before.seal(pdf, documentRow(documentId)))
    }
    return live
  })

  const both = createSecrets([recent, old])
  expect(await resealSecrets(database, both)).toEqual(
    expect.arrayContaining([
      { column: 'merchant.verification_sessions.token_sealed', count: 1 },
      { column: 'merchant.beneficial_owners.born_on_sealed', count: 1 },
      { column: 'merchant.verification_document_contents.content_sealed', count: 3 },
    ]),
  )
  const after = createSecrets([recent])
  const session = await findSession(database.sql, tenant, id)
  expect(after.open(session?.tokenSealed ?? pdf, tokenRow(id)).toString()).toBe('token')
  const [owner] = await listOwners(database.sql, tenant)
  expect(after.open(owner?.bornOnSealed ?? pdf, ownerRow(id)).toString()).toBe('1980-12-31')
  const contents = await database.sql<{ documentId: string; contentSealed: Buffer }[]>`
    select document_id, content_sealed
    from merchant.verification_document_contents`
  for (const { documentId, contentSealed } of contents) {
    expect(after.open(contentSealed, documentRow(documentId))).toEqual(pdf)
  }
})
