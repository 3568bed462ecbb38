// A form acts once, keeps what was typed, and says what is wrong.
import { describe, expect, it } from 'vitest'
import { allowRefunds, appVisitor, fieldsOf } from '../../support/app-visitor.ts'
import { expectInvariants } from '../../support/invariants.ts'
import { paidPayment, shop } from '../../support/payments.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()

async function payingCustomer() {
  const owner = await shop(world())
  const { id } = await paidPayment(world(), owner)
  const visitor = await appVisitor(world(), owner.tenant.businessId)
  await allowRefunds(world(), owner.tenant)
  const refunds = () => world().database.sql<{ amountMinor: bigint }[]>`
    select amount_minor
    from merchant.refunds
    where business_id = ${owner.tenant.businessId}`
  return { owner, id, visitor, refunds, path: `/payments/${id}/refund` }
}

describe('a form', () => {
  it('acts, leads to the object and says once what was done', async () => {
    const { id, visitor, refunds, path } = await payingCustomer()
    const answer = await visitor.submit(path, { amountMinor: '234,50' })
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toMatch(new RegExp(`/payments/${id}$`))
    expect(await refunds()).toEqual([{ amountMinor: 23450n }])
    const flash = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect(Buffer.from(flash.split('=')[1] ?? '', 'base64url').toString()).toBe(
      'NGN\u00a0234.50 was refunded.',
    )
    await expectInvariants(world().database)
  })

  it('acts once when it is sent twice, and leads to the same page', async () => {
    const { visitor, refunds, path } = await payingCustomer()
    const fields: Record<string, string> = {
      ...fieldsOf((await visitor.get(path)).text),
      amountMinor: '250',
    }
    const [first, second] = await Promise.all([
      visitor.post(path, fields),
      visitor.post(path, fields),
    ])
    const third = await visitor.post(path, fields)
    expect([first.status, second.status, third.status]).toEqual([303, 303, 303])
    expect(second.headers.get('location')).toBe(first.headers.get('location'))
    expect(third.headers.get('location')).toBe(first.headers.get('location'))
    expect(await refunds()).toEqual([{ amountMinor: 25000n }])
  })

  it('keeps what was typed and names the problem at its field', async () => {
    const { visitor, refunds, path } = await payingCustomer()
    const answer = await visitor.submit(path, { amountMinor: 'ten' })
    expect(answer.status).toBe(422)
    expect(fieldsOf(answer.text).amountMinor).toBe('ten')
    expect(answer.text).toContain('id="amountMinor-error"')
    expect(answer.text).toContain('Enter the amount in figures, for example 1,500.50.')
    expect(await refunds()).toEqual([])
  })

  it('can be corrected and sent again after a refusal', async () => {
    const { visitor, refunds, path } = await payingCustomer()
    const refused = await visitor.submit(path, { amountMinor: '5000' })
    expect(refused.status).toBe(422)
    const fields: Record<string, string> = { ...fieldsOf(refused.text), amountMinor: '150' }
    expect((await visitor.post(path, fields)).status).toBe(303)
    expect(await refunds()).toEqual([{ amountMinor: 15000n }])
  })

  it('does nothing without its token', async () => {
    const { visitor, refunds, path } = await payingCustomer()
    const answer = await visitor.post(path, { amountMinor: '250' })
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('The form was incomplete.')
    expect(await refunds()).toEqual([])
  })

  it('says that the outcome is unknown when the first submit never ended', async () => {
    const { visitor, refunds, path } = await payingCustomer()
    const fields: Record<string, string> = {
      ...fieldsOf((await visitor.get(path)).text),
      amountMinor: '250',
    }
    await world().database.sql`
      insert into kernel.form_submissions (person_id, token, created_at)
      values (${visitor.personId}, ${fields.form_token ?? ''}, now() - interval '10 seconds')`
    const answer = await visitor.post(path, fields)
    expect(answer.status).toBe(409)
    expect(answer.text).toContain('the outcome is not known yet')
    expect(fieldsOf(answer.text)).toEqual({})
    expect(await refunds()).toEqual([])
  })
})

describe('a form without an answer from the provider', () => {
  it('is not offered again', async () => {
    const { owner, visitor, path } = await payingCustomer()
    const operation = 'POST /transactions/:id/refund'
    await world().simulator.rule(owner.tenant, { operation, effect: 'drop_after', count: 1 })
    const fields = { ...fieldsOf((await visitor.get(path)).text), amountMinor: '250' }
    const answer = await visitor.post(path, fields)
    expect(answer.status).toBe(502)
    expect(fieldsOf(answer.text)).toEqual({})
    // The form refuses it, not only the refund that is still open. Long after, so that there is
    // nothing to wait for.
    await world().database.sql`
      update kernel.form_submissions
      set created_at = created_at - interval '10 seconds'`
    const again = await visitor.post(path, fields)
    expect(again.status).toBe(409)
    expect(again.text).toContain('the outcome is not known yet')
  })
})
