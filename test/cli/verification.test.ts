// Verifying a business by hand at the terminal.
import { describe, expect, it, vi } from 'vitest'
import { verifyBusiness } from '../../src/cli/commands/merchant/verification-commands.ts'
import type { CommandOptions } from '../../src/cli/core/command.ts'
import { readSettings } from '../../src/config.ts'
import { createPeople } from '../../src/kernel/auth/people.ts'
import {
  applicant,
  apply,
  checkIdentity,
  fillDossier,
  resolve,
  submit,
} from '../support/verification.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()

async function run(options: CommandOptions): Promise<string> {
  const printed: string[] = []
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    printed.push(String(chunk))
    return true
  })
  try {
    const { context } = world()
    const people = () => createPeople(context, context)
    const settings = readSettings([])
    const cli = { context, settings, people, askSecrets: vi.fn() }
    expect(await verifyBusiness.run(cli, options)).toBe(0)
    return printed.join('')
  } finally {
    write.mockRestore()
  }
}

const reason = 'Papers seen at the counter.'
const link = { title: 'Order', amount: 10, currency: 'NGN' }

describe('cli businesses verify', () => {
  it('lets the live keys of a business move money, and takes that back', async () => {
    const businessId = await world().business({ kycStatus: 'unverified' })
    const { text: key } = await world().key({ service: 'merchant', businessId })
    const pay = () => world().call('POST', '/merchant/api/v1/payment-links', { key, body: link })
    expect((await pay()).status).toBe(403)
    expect(await run({ business: businessId, reason })).toBe(
      'Corner shop is now verified (was unverified).\n',
    )
    expect((await pay()).status).toBe(200)
    const withdrawn = { business: businessId, reason, status: 'unverified', json: true }
    expect(JSON.parse(await run(withdrawn))).toEqual({
      business_id: businessId,
      before: 'verified',
      kyc_status: 'unverified',
    })
    expect((await pay()).status).toBe(403)
    const acts = await world().database.sql`
      select detail
      from kernel.audit_log
      where business_id = ${businessId}
        and action = 'business.set_kyc_status'
      order by at, id`
    expect(acts).toMatchObject([
      { detail: { from: 'unverified', to: 'verified', reason } },
      { detail: { from: 'verified', to: 'unverified', reason } },
    ])
  })

  it('stands against what is submitted, and against what the verifier says afterwards', async () => {
    const one = await applicant(world())
    await fillDossier(one, { legalName: 'Reject Me' })
    await checkIdentity(one)
    await run({ business: one.tenant.businessId, reason })
    await submit(one)
    expect(await one.account()).toMatchObject({ kyc_status: 'verified' })
    await resolve(world())
    expect(await one.account()).toMatchObject({
      kyc_status: 'verified',
      kyc_rejection_reason: null,
    })
    expect((await one.view('/status')).text).toContain('Your application was rejected')
    // The owner corrects the changes; the business stays verified.
    expect((await one.post('/again')).status).toBe(303)
  })

  it('can take back what a verifier decided, and the business can apply again', async () => {
    const one = await applicant(world())
    await apply(one)
    await run({ business: one.tenant.businessId, reason, status: 'rejected' })
    const again = await applicant(world(), one.tenant)
    expect(again.sessionId).not.toBe(one.sessionId)
    expect(await one.account()).toMatchObject({ kyc_status: 'rejected' })
  })

  it.each([
    [{}, '--business is missing'],
    [{ business: 'x', reason }, 'there is no business x'],
    [{ reason, status: 'pending' }, '--status must be one of verified, rejected, unverified'],
    [{ reason: ' ' }, '--reason is missing'],
    [{ reason: 'x'.repeat(501) }, '--reason must be one line of at most 500'],
  ])('refuses %j', async (options, message) => {
    const [business] = [await world().business(), await world().business()]
    const isAboutBusiness = message.includes('business')
    await expect(run(isAboutBusiness ? options : { business, ...options })).rejects.toThrow(message)
  })

  it('knows no business that is not there', async () => {
    const business = world().context.ids.uuid()
    await expect(run({ business, reason })).rejects.toThrow(`no business ${business}`)
  })
})
