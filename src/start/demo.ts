// Creates a demo business: verified, with a settlement account, keys of every kind with all scopes,
// and two people, because some operations need a second person.

import { createBusiness } from '../app/create-business.ts'
import { booksService } from '../books/service.ts'
import { issueApiKey } from '../kernel/auth/issue-api-key.ts'
import type { People } from '../kernel/auth/people.ts'
import { assert } from '../kernel/basics/assert.ts'
import { addSeconds } from '../kernel/basics/clock.ts'
import { systemIds } from '../kernel/basics/id.ts'
import type { Environment } from '../kernel/basics/tenant.ts'
import type { Tx } from '../kernel/db/database.ts'
import type { Service } from '../kernel/http/service.ts'
import type { ServiceContext } from '../kernel/operations/service-context.ts'
import { heldOperations } from '../merchant/approvals/approval.ts'
import { setThreshold } from '../merchant/approvals/set-threshold.ts'
import {
  insertBeneficialOwner,
  insertVerificationDocument,
} from '../merchant/business/business-store.ts'
import { writeSettlementAccount } from '../merchant/business/set-settlement-account.ts'
import { merchantService } from '../merchant/service.ts'
import { queueSampleData } from './sample/fill-sample-data.ts'
import { sampleDays } from './sample/sample-plan.ts'
import { secondFactorLines } from './second-factor-lines.ts'

// `otpauth_url` is the secret in the form that authenticator apps read. Each backup code works
// once.
export type DemoPerson = {
  email: string
  password: string
  totp_secret: string
  otpauth_url: string
  backup_codes: readonly string[]
}

// The output for programs. Fields can be added; existing ones stay.
export type Demo = {
  business_id: string
  merchant: { base_url: string; live_key: string; test_key: string }
  books: { base_url: string; key: string; read_key: string; test_key: string }
  app: { url: string; owner: DemoPerson; approver: DemoPerson }
}

// With sample data, the business is as old as the data, which a job makes.
export async function createDemo(
  given: ServiceContext,
  people: People,
  { withSample }: { readonly withSample: boolean },
): Promise<Demo> {
  const context = withSample ? inThePast(given) : given
  const tag = context.ids.randomBytes(4).toString('hex')
  const owner = await createPerson(context, people, `owner-${tag}@demo.example`, 'Demo owner')
  const approver = await createPerson(
    context,
    people,
    `approver-${tag}@demo.example`,
    'Demo approver',
  )
  return context.database.transaction(async (tx) => {
    const businessId = await createBusiness(tx, context, 'demo', {
      name: `Demo business ${tag}`,
      country: 'NG',
      baseCurrency: 'NGN',
      contactEmail: owner.shown.email,
      contactPhone: '+2348000000000',
      kycStatus: 'verified',
      isDemo: true,
    })
    await insertVerification(tx, context, businessId)
    await setThresholds(tx, context, businessId)
    const actor = { kind: 'system', name: 'demo', businessId, environment: 'live' } as const
    await people.addMembership(tx, businessId, owner.personId, 'owner', actor)
    await people.addMembership(tx, businessId, approver.personId, 'approver', actor)
    if (withSample) {
      const people = { ownerId: owner.personId, approverId: approver.personId }
      const until = given.clock.now().toISOString()
      await queueSampleData(
        tx,
        given,
        { businessId, environment: 'live' },
        { ...people, until, step: 0 },
      )
    }
    const keyOf = keyMaker(tx, context, businessId, owner.personId)
    return {
      business_id: businessId,
      merchant: {
        base_url: context.publicUrl + merchantService.basePath,
        live_key: await keyOf(merchantService, 'Demo live key', 'live'),
        test_key: await keyOf(merchantService, 'Demo sandbox key', 'test'),
      },
      books: {
        base_url: context.publicUrl + booksService.basePath,
        key: await keyOf(booksService, 'Demo key', 'live'),
        read_key: await keyOf(booksService, 'Demo read key', 'live', ['read']),
        test_key: await keyOf(booksService, 'Demo sandbox key', 'test'),
      },
      app: { url: context.publicUrl, owner: owner.shown, approver: approver.shown },
    }
  })
}

// The day before the first of the sample data.
function inThePast(context: ServiceContext): ServiceContext {
  const start = addSeconds(context.clock.now(), -(sampleDays + 1) * 24 * 60 * 60)
  const clock = { ...context.clock, now: () => start }
  return { ...context, clock, ids: systemIds(clock) }
}

async function createPerson(
  context: ServiceContext,
  people: People,
  email: string,
  name: string,
): Promise<{ personId: string; shown: DemoPerson }> {
  const password = context.ids.randomBytes(12).toString('base64url')
  const created = await people.createPerson({ email, name, password, totp: true })
  const { personId, totpSecret, otpauthUrl, backupCodes } = created
  assert(totpSecret && otpauthUrl && backupCodes, 'a second factor was wanted')
  const factor = { totp_secret: totpSecret, otpauth_url: otpauthUrl, backup_codes: backupCodes }
  return { personId, shown: { email, password, ...factor } }
}

// The same rows as after a finished verification.
async function insertVerification(
  tx: Tx,
  context: ServiceContext,
  businessId: string,
): Promise<void> {
  const now = context.clock.now()
  for (const kind of ['registration_certificate', 'proof_of_address']) {
    await insertVerificationDocument(tx, businessId, {
      id: context.ids.uuid(),
      kind,
      submittedAt: now,
    })
  }
  await insertBeneficialOwner(tx, businessId, {
    id: context.ids.uuid(),
    name: 'Demo owner',
    verifiedAt: now,
    createdAt: now,
  })
  const actor = { kind: 'system', name: 'demo', businessId, environment: 'live' } as const
  await writeSettlementAccount(tx, context, actor, {
    bankCode: '044',
    accountNumber: '0690000031',
    beneficiaryName: 'Demo business',
  })
}

// Low enough to try both: amounts that one person can move, and amounts that need an approval.
const thresholdsMinor = { NGN: 5_000_000n, USD: 10_000n }

async function setThresholds(tx: Tx, context: ServiceContext, businessId: string): Promise<void> {
  const actor = { kind: 'system', name: 'demo', businessId, environment: 'live' } as const
  for (const operation of heldOperations) {
    for (const [currency, amountMinor] of Object.entries(thresholdsMinor)) {
      await setThreshold(tx, context, actor, { operation, currency, amountMinor })
    }
  }
}

function keyMaker(tx: Tx, context: ServiceContext, businessId: string, createdBy: string) {
  return async (
    service: Service<ServiceContext>,
    name: string,
    environment: Environment,
    scopes = service.scopes,
  ): Promise<string> => {
    const actor = { kind: 'system', name: 'demo', businessId, environment } as const
    const wanted = { name, environment, scopes, createdBy }
    return (await issueApiKey(tx, context, actor, service, wanted)).text
  }
}

// For a person at a terminal. The curl lines work when pasted.
export async function describeDemo(demo: Demo, isTerminal: boolean): Promise<string[]> {
  return [
    merchantService.title,
    `  base address   ${demo.merchant.base_url}`,
    `  live key       ${demo.merchant.live_key}`,
    `  sandbox key    ${demo.merchant.test_key}`,
    booksService.title,
    `  base address   ${demo.books.base_url}`,
    `  key            ${demo.books.key}`,
    `  read-only key  ${demo.books.read_key}`,
    `  sandbox key    ${demo.books.test_key}`,
    `Application      ${demo.app.url}`,
    ...(await describePerson('owner', demo.app.owner, isTerminal)),
    ...(await describePerson('approver', demo.app.approver, isTerminal)),
    '',
    'Try it:',
    `  curl -H 'Authorization: Bearer ${demo.merchant.live_key}' ${demo.merchant.base_url}/account`,
    `  curl -H 'Authorization: Bearer ${demo.books.key}' ${demo.books.base_url}/accounts`,
  ]
}

async function describePerson(
  role: string,
  { email, password, ...factor }: DemoPerson,
  isTerminal: boolean,
): Promise<string[]> {
  const { totp_secret: totpSecret, otpauth_url: otpauthUrl, backup_codes: backupCodes } = factor
  const lines = await secondFactorLines({ totpSecret, otpauthUrl, backupCodes }, isTerminal)
  return [
    `  ${role.padEnd(15)}${email}`,
    `    Password     ${password}`,
    ...lines.map((line) => `    ${line}`),
  ]
}
