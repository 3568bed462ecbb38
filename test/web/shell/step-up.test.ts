// Sensitive forms ask the person to prove again who they are, and lose nothing of what was typed.
import { describe, expect, it } from 'vitest'
import { type AppVisitor, appVisitor, fieldsOf } from '../../support/app-visitor.ts'
import { shop } from '../../support/payments.ts'
import { password } from '../../support/people.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const path = '/developers/keys/new'
const filled = { name: 'Shop', preset: 'checkout' }

async function visitor(): Promise<AppVisitor> {
  const { tenant } = await shop(world())
  return appVisitor(world(), tenant.businessId)
}

async function age({ personId }: AppVisitor, minutes: number): Promise<void> {
  await world().database.sql`
    update kernel.sessions
    set second_factor_at = second_factor_at - ${`${minutes} minutes`}::interval,
      password_at = password_at - ${`${minutes} minutes`}::interval
    where person_id = ${personId}`
}

// Codes of the next step are accepted too; the one of the sign-in is used.
const nextCode = ({ code }: AppVisitor) => code(1)

describe('a sensitive form', () => {
  it('asks for a code, then goes on; an ordinary one does not ask', async () => {
    const who = await visitor()
    expect((await who.get(path)).text).toContain('New API key')
    await age(who, 6)
    const asked = await who.get(path)
    expect(asked.status).toBe(403)
    expect(asked.text).toContain('Confirm that it’s you')
    expect((await who.get('/payment-links/new')).status).toBe(200)
    const answer = await who.post(path, { proof: nextCode(who) })
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toMatch(/\/developers\/keys\/new$/)
    expect((await who.get(path)).status).toBe(200)
  })

  it.each([
    '/recipients/new',
    '/developers/keys/0/revoke',
    '/settings/team/0/sessions',
    '/settings/invitations/0/withdraw',
  ])('is %s', async (form) => {
    const who = await visitor()
    await age(who, 6)
    expect((await who.get(form)).text).toContain('Confirm that it’s you')
  })

  it('takes a backup code once', async () => {
    const who = await visitor()
    const [code = ''] = who.backupCodes
    await age(who, 6)
    expect((await who.post(path, { proof: code })).status).toBe(303)
    await age(who, 6)
    expect((await who.post(path, { proof: code })).text).toContain('This code is wrong.')
  })

  it('refuses wrong and used codes, and many tries', async () => {
    const who = await visitor()
    await age(who, 6)
    const used = await who.post(path, { proof: who.code() })
    expect(used.status).toBe(403)
    expect(used.text).toContain('This code was already used.')
    expect((await who.get(path)).status).toBe(403)
    for (let tries = 0; tries < 9; tries += 1) {
      expect((await who.post(path, { proof: 'aaaaa-aaaaa' })).text).toContain('This code is wrong.')
    }
    expect((await who.post(path, { proof: nextCode(who) })).text).toContain('Too many tries.')
    // The session may be stolen, so it has ended.
    expect((await who.get('')).headers.get('location')).toMatch(/^\/sign-in/)
  })

  it('with passwords writes them into no page: it is filled in again', async () => {
    const who = await visitor()
    const form = '/account/password'
    const typed = { currentPassword: password, password: 'another long password' }
    const fields = { ...fieldsOf((await who.get(form)).text), ...typed }
    await age(who, 6)
    const asked = await who.post(form, fields)
    expect(asked.text).toContain('passwords are not kept')
    expect(asked.text).not.toContain(password)
    expect(fieldsOf(asked.text)).toEqual({ proof: '' })
    const proven = await who.post(form, { proof: nextCode(who) })
    expect(proven.headers.get('location')).toMatch(/\/account\/password$/)
  })

  it('that is sent too late keeps what was typed, and acts once after the code', async () => {
    const who = await visitor()
    const fields = { ...fieldsOf((await who.get(path)).text), ...filled }
    await age(who, 6)
    const asked = await who.post(path, fields)
    expect(asked.status).toBe(403)
    const kept = fieldsOf(asked.text)
    expect(kept).toEqual({ ...fields, proof: '' })
    const wrong = fieldsOf((await who.post(path, { ...kept, proof: '000 000' })).text)
    expect(wrong).toEqual(kept)
    const proven = { ...kept, proof: nextCode(who) }
    expect((await who.post(path, proven)).text).toContain('svc_live_')
    // A second click: the code is used by now, and so is the form.
    expect((await who.post(path, proven)).status).toBe(303)
    const keys = await who.get('/developers/keys')
    expect(keys.text.match(/<strong>Shop<\/strong>/g)).toHaveLength(1)
  })
})
