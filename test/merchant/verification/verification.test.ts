// An applicant on the hosted pages, and two of them at once.
import { describe, expect, it } from 'vitest'
import { manualClock } from '../../support/clock.ts'
import {
  acts,
  applicant,
  applicantWith,
  apply,
  checkIdentity,
  details,
  fillDossier,
  jpeg,
  owner,
  ownerId,
  pdf,
  resolve,
  startCheck,
  submit,
  verification,
} from '../../support/verification.ts'
import { useWorld } from '../../support/world.ts'

const clock = manualClock()
const world = useWorld({ clock })

const day = 24 * 60 * 60 * 1000

describe('the whole way', () => {
  // covers: poll GET /account for kyc_status afterwards
  it('verifies a business, and its live key may take money', async () => {
    const one = await applicant(world())
    const link = { title: 'Order', amount: 10, currency: 'NGN' }
    const pay = () =>
      world().call('POST', '/merchant/api/v1/payment-links', { key: one.key, body: link })
    expect((await pay()).status).toBe(403)
    await fillDossier(one)
    await checkIdentity(one)
    expect(await one.account()).toMatchObject({ kyc_status: 'unverified', documents_submitted: 0 })
    const { status, headers } = await submit(one)
    expect([status, headers.get('location')]).toEqual([303, `${one.path}/status`])
    expect(await one.account()).toMatchObject({
      kyc_status: 'pending',
      documents_submitted: 3,
      beneficial_owners_verified: 0,
    })
    expect((await pay()).body.code).toBe('permission_denied')
    expect((await one.view('/status')).text).toContain('We are checking your application')
    await resolve(world())
    expect(await one.account()).toMatchObject({
      kyc_status: 'verified',
      kyc_rejection_reason: null,
      documents_submitted: 3,
      beneficial_owners_verified: 1,
    })
    expect((await one.view('/status')).text).toContain('Your business is verified')
    expect((await pay()).status).toBe(200)
    expect(await acts(one)).toEqual([
      'verification.start',
      'verification.save_details',
      'verification.add_document',
      'verification.add_document',
      'verification.add_document',
      'verification.save_owner',
      'verification.start_identity_check',
      'verification.finish_identity_check',
      'verification.submit',
      'verification.verify',
    ])
  })

  it('rejects, shows why, and takes a corrected application', async () => {
    const one = await applicant(world())
    await apply(one, { legalName: 'Reject Me Limited' })
    const { kyc_status, kyc_rejection_reason, beneficial_owners_verified } = await one.account()
    expect([kyc_status, beneficial_owners_verified]).toEqual(['rejected', 0])
    expect(kyc_rejection_reason).toContain('could not be read')
    const { text } = await one.view('/status')
    expect(text).toContain(kyc_rejection_reason)
    const again = await one.post('/again')
    const next = await applicantWith(world(), one.tenant, one.key)
    expect(again.headers.get('location')).toBe(next.path)
    expect(next.sessionId).not.toBe(one.sessionId)
    const page = (await next.view('/details')).text
    expect(page).toContain('Reject Me Limited')
    expect(page).toContain(kyc_rejection_reason)
    expect(await one.account()).toMatchObject({ kyc_status: 'rejected' })
    await next.post('/details', details)
    await checkIdentity(next)
    await submit(next)
    await resolve(world())
    expect(await one.account()).toMatchObject({
      kyc_status: 'verified',
      kyc_rejection_reason: null,
      documents_submitted: 3,
      beneficial_owners_verified: 1,
    })
    expect((await acts(one)).filter((act) => /start$|submit|verify|reject/.test(act))).toEqual([
      'verification.start',
      'verification.submit',
      'verification.reject',
      'verification.start',
      'verification.submit',
      'verification.verify',
    ])
  })

  it.each([
    ['accepted', 'Corner Shop Two Limited', 'verified'],
    ['rejected', 'Reject Me Limited', 'rejected'],
  ])(
    'of a verified business takes changes, and leaves it verified when they are %s',
    async (...one) => {
      const [, legalName, outcome] = one
      const before = await applicant(world())
      await apply(before)
      const next = await applicantWith(world(), before.tenant, before.key)
      // It begins with what is on file.
      const start = await next.view('')
      expect(start.headers.get('location')).toBe(`${next.path}/review`)
      expect((await next.view('/review')).text).toContain('is verified. You can change')
      await next.post('/details', { ...details, legalName })
      await checkIdentity(next)
      await submit(next)
      const verified = { kyc_status: 'verified', beneficial_owners_verified: 1 }
      expect(await next.account()).toMatchObject(verified)
      await resolve(world())
      expect(await next.account()).toMatchObject(verified)
      const [row] = await world().database.sql<{ status: string }[]>`
      select status
      from merchant.verification_sessions
      where id = ${next.sessionId}`
      expect(row?.status).toBe(outcome)
    },
  )

  it('keeps what was judged when it is removed after a rejection', async () => {
    const one = await applicant(world())
    await apply(one, { ownerName: 'reject me' })
    const next = await applicantWith(world(), one.tenant, one.key)
    const id = /name="id" value="([^"]+)"/.exec((await next.view('/documents')).text)?.[1] ?? ''
    await next.post('/remove-document', { id })
    expect(await one.account()).toMatchObject({ documents_submitted: 2 })
    const kept = await world().database.sql`
      select
      from merchant.verification_document_contents
      where document_id = ${id}`
    expect(kept).toHaveLength(1)
  })

  it('waits while the verifier does, asking ever more seldom', async () => {
    const one = await applicant(world())
    await apply(one, { legalName: 'Wait For Me' })
    expect(await one.account()).toMatchObject({ kyc_status: 'pending' })
    const { headers } = await one.view('/status')
    expect(headers.get('refresh')).toBe(`5; url=${one.path}/status`)
    clock.advance(60_000)
    await resolve(world())
    expect(await one.account()).toMatchObject({ kyc_status: 'pending' })
    clock.advance(90_000)
    await resolve(world())
    expect(await one.account()).toMatchObject({ kyc_status: 'verified' })
  })
})

describe('a test key', () => {
  it('rehearses: its outcome shows to test keys alone', async () => {
    const businessId = await world().business({ kycStatus: 'unverified' })
    const one = await applicant(world(), { businessId, environment: 'test' })
    const live = await applicant(world(), { businessId })
    expect((await one.view('/details')).text).toContain('Test mode:')
    await apply(one)
    expect(await one.account()).toMatchObject({
      kyc_status: 'verified',
      documents_submitted: 3,
      beneficial_owners_verified: 1,
      environment: 'test',
    })
    expect(await live.account()).toMatchObject({
      kyc_status: 'unverified',
      documents_submitted: 0,
      beneficial_owners_verified: 0,
    })
    expect((await live.view('/documents')).text).toContain('0 of at most')
    const { text } = await one.view('/status')
    expect(text).toContain('The rehearsal is complete')
    expect(text).not.toMatch(/is verified/)
  })

  it('rehearses again after it was verified, also where the business really is', async () => {
    const businessId = await world().business()
    const one = await applicant(world(), { businessId, environment: 'test' })
    expect(await one.account()).toMatchObject({ kyc_status: 'verified' })
    await apply(one, { legalName: 'Reject Me' })
    expect(await one.account()).toMatchObject({ kyc_status: 'rejected' })
    const next = await applicantWith(world(), one.tenant, one.key)
    await next.post('/details', details)
    await checkIdentity(next)
    await submit(next)
    expect(await one.account()).toMatchObject({ kyc_status: 'pending' })
    const { text } = await world().key({ service: 'merchant', businessId })
    const { body } = await world().call('GET', '/merchant/api/v1/account', { key: text })
    expect(body).toMatchObject({ kyc_status: 'verified', kyc_rejection_reason: null })
  })
})

describe('an address', () => {
  it('is the same again while its session is open, and while it waits for the decision', async () => {
    const one = await applicant(world())
    const again = await applicantWith(world(), one.tenant, one.key)
    expect([again.path, again.sessionId]).toEqual([one.path, one.sessionId])
    await fillDossier(one)
    await checkIdentity(one)
    await submit(one)
    const waiting = await applicantWith(world(), one.tenant, one.key)
    expect(waiting.path).toBe(one.path)
    clock.advance(8 * day)
    expect((await one.view('/status')).status).toBe(410)
    const late = await applicantWith(world(), one.tenant, one.key)
    expect(late.path).toBe(one.path)
    expect((await one.view('/status')).text).toContain('We are checking')
  })

  it('is good for seven days to the millisecond, and what was filled in outlives it', async () => {
    const one = await applicant(world())
    await one.post('/details', details)
    clock.advance(7 * day - 1)
    expect((await one.view('/details')).status).toBe(200)
    clock.advance(1)
    const { status, text } = await one.view('/details')
    expect(status).toBe(410)
    expect(text).toContain('This link has expired')
    for (const page of ['', '/status', '/identity/return']) {
      expect((await one.view(page)).status).toBe(410)
    }
    expect((await one.post('/details', { ...details, city: 'Abuja' })).status).toBe(410)
    expect((await one.upload('registration', pdf)).status).toBe(410)
    const next = await applicantWith(world(), one.tenant, one.key)
    expect(next.path).not.toBe(one.path)
    expect((await next.view('/details')).text).toContain('value="Lagos"')
    expect((await one.view('/details')).status).toBe(303)
    expect((await one.view('/status')).status).toBe(410)
  })

  it('opens its own session only', async () => {
    const [one, other] = [await applicant(world()), await applicant(world())]
    const reference = one.path.slice(0, -43)
    const token = other.path.slice(-43)
    const strange = [reference + token, reference, `${one.path}x`, `${reference}${'A'.repeat(43)}`]
    strange.push(`${one.path.slice(0, -1)}${one.path.endsWith('A') ? 'B' : 'A'}`, '/verify/x')
    for (const path of strange) {
      const headers = { origin: new URL(world().context.publicUrl).origin }
      expect((await world().call('GET', `${path}/details`)).status, path).toBe(404)
      const call = { rawBody: 'x', headers: { ...headers, 'content-type': 'multipart/form-data' } }
      expect((await world().call('POST', `${path}/documents`, call)).status).toBe(404)
      expect((await world().call('GET', `${path}/status`)).status, path).toBe(404)
    }
    const live = one.path.replace(/l(?=.{65}$)/, 't')
    expect(live).not.toBe(one.path)
    expect((await world().call('GET', `${live}/details`)).status).toBe(404)
  })

  it('is kept by no row and no log line', async () => {
    const one = await applicant(world())
    await one.view('/details')
    const token = one.path.slice(-43)
    const [row] = await world().database.sql<{ tokenSealed: Buffer }[]>`
      select *
      from merchant.verification_sessions
      where id = ${one.sessionId}`
    expect(JSON.stringify(row)).not.toContain(token)
    expect(row?.tokenSealed.includes(token)).toBe(false)
    expect(world().logLines.join('\n')).not.toContain(token)
  })

  it('takes no form from another site', async () => {
    const one = await applicant(world())
    const call = (headers: Record<string, string>) =>
      world().call('POST', `${one.path}/details`, {
        rawBody: new URLSearchParams(details).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      })
    expect((await call({ origin: 'https://evil.example' })).status).toBe(403)
    expect((await call({})).status).toBe(403)
    expect((await one.view('/details')).text).not.toContain('Market Street')
  })
})

describe('at once', () => {
  it('many who ask get one session', async () => {
    const businessId = await world().business({ kycStatus: 'unverified' })
    const { text: key } = await world().key({ service: 'merchant', businessId })
    const asked = await Promise.all(
      Array.from({ length: 8 }, () => world().call('POST', verification, { key })),
    )
    expect(asked.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(new Set(asked.map(({ text }) => text)).size).toBe(1)
  })

  it('many submits hand in once', async () => {
    const one = await applicant(world())
    await fillDossier(one)
    await checkIdentity(one)
    const answers = await Promise.all(Array.from({ length: 6 }, () => submit(one)))
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(303))
    await Promise.all([resolve(world()), resolve(world()), resolve(world())])
    const ends = (await acts(one)).filter((act) => /submit|verify/.test(act))
    expect(ends).toEqual(['verification.submit', 'verification.verify'])
  })

  it('a double click uploads one document and adds one owner', async () => {
    const one = await applicant(world())
    await Promise.all([one.upload('address', pdf), one.upload('address', pdf)])
    await Promise.all([one.post('/owners', owner), one.post('/owners', owner)])
    expect((await one.view('/documents')).text).toContain('1 of at most 10')
    expect((await one.view('/owners')).text.match(/Change Ada Obi/g)).toHaveLength(1)
  })

  it('a change that races the submit is either handed in or refused', async () => {
    const one = await applicant(world())
    await fillDossier(one)
    await checkIdentity(one)
    await Promise.all([submit(one), one.upload('registration', jpeg), one.upload('address', jpeg)])
    const [row] = await world().database.sql`
      select count(*) filter (where submitted_at is null)::int as late
      from merchant.verification_documents
      where business_id = ${one.tenant.businessId}`
    expect(row?.late).toBe(0)
  })
})

describe('what the verifier leaves open', () => {
  it.each(['drop', 'drop_after', 'refuse', 'unreadable'])(
    'a dossier whose hand-over ends in %s is decided about in the end, once',
    async (effect) => {
      const one = await applicant(world())
      await fillDossier(one)
      await checkIdentity(one)
      await submit(one)
      for (const operation of ['POST /documents', 'POST /reviews', 'GET /reviews/:reference']) {
        const parameters = effect === 'refuse' ? { status: 500 } : {}
        await world().simulator.rule(one.tenant, { operation, effect, ...parameters, count: 1 })
      }
      for (let looks = 0; looks < 5; looks += 1) {
        await resolve(world())
        clock.advance(60 * 60 * 1000)
      }
      expect(await one.account()).toMatchObject({ kyc_status: 'verified' })
      const [row] = await world().database.sql`
        select count(*)::int as reviews
        from simulator.reviews
        where business_id = ${one.tenant.businessId}`
      expect(row?.reviews).toBe(1)
      expect((await acts(one)).filter((act) => act === 'verification.verify')).toHaveLength(1)
    },
  )

  it('a check that was begun and lost leads to the same page', async () => {
    const one = await applicant(world())
    await fillDossier(one)
    const id = await ownerId(one)
    await world().simulator.rule(one.tenant, {
      operation: 'POST /checks',
      effect: 'drop_after',
      count: 1,
    })
    const lost = await one.post('/identity', { owner: id })
    expect(lost.status).toBe(502)
    expect(lost.text).toContain('is not responding')
    const page = await startCheck(id, one.post)
    expect(await startCheck(id, one.post)).toBe(page)
    const [row] = await world().database.sql`
      select count(*)::int as checks
      from simulator.identity_checks
      where business_id = ${one.tenant.businessId}`
    expect(row?.checks).toBe(1)
  })

  // covers: the business owner completes a hosted identity
  it('the word of the browser does not pass the check, nor does a failure', async () => {
    const one = await applicant(world())
    await fillDossier(one)
    await one.view('/identity/return?status=passed')
    await startCheck(await ownerId(one), one.post)
    const back = await one.view('/identity/return?status=passed')
    expect(back.headers.get('location')).toBe(`${one.path}/identity`)
    await checkIdentity(one, 'failed')
    expect((await one.view('/identity')).text).toContain('The check failed')
    expect((await submit(one)).status).toBe(422)
    await checkIdentity(one)
    expect((await one.view('/identity')).text).toContain('passed the identity check')
  })

  it('a check is forgotten when its owner goes or becomes someone else', async () => {
    const one = await applicant(world())
    await fillDossier(one)
    const id = await ownerId(one)
    await checkIdentity(one)
    await one.post('/owners', { id, ...owner, share: '55' })
    expect((await one.view('/identity')).text).toContain('passed the identity check')
    await one.post('/owners', { id, ...owner, name: 'Bola Ade' })
    expect((await one.view('/identity')).text).toContain('Start the check')
    await checkIdentity(one)
    await one.post('/remove-owner', { id })
    expect((await one.view('/identity')).text).toContain('Add the owners first')
    const missing = await submit(one)
    expect(missing.status).toBe(422)
    for (const text of ['Add at least one owner', 'Do the identity check']) {
      expect(missing.text).toContain(text)
    }
  })
})
