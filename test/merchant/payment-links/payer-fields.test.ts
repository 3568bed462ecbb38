// A link that asks its payers for more than the e-mail address.
import { describe, expect, it } from 'vitest'
import {
  comeBack,
  eventsOf,
  newLink,
  pressPay,
  type Shop,
  shop,
  storedPayment,
} from '../../support/payments.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()

const everything = { name: 'required', phone: 'optional', address: 'required', note: 'optional' }

const answers = {
  'payer-name': ' Ọláyínká Obi ',
  'payer-phone': '+234 803 123 4567',
  'payer-address': '12 Marina Road\r\nLagos',
}

const kept = {
  name: 'Ọláyínká Obi',
  phone: '+234 803 123 4567',
  address: '12 Marina Road\nLagos',
}

type Asking = Shop & { readonly page: string }

async function asking(payerFields: object = everything, body: object = {}): Promise<Asking> {
  const owner = await shop(world())
  return { ...owner, page: await newLink(world(), owner, { payerFields, ...body }) }
}

const press = ({ page }: Asking, fields: Record<string, string>, headers = {}) =>
  pressPay(world(), page, fields, headers)

const paymentsOf = ({ tenant }: Shop) => world().database.sql<
  { id: string; providerReference: string; payerName: string | null; payerAnswers: unknown }[]
>`
  select id, provider_reference, payer_name, payer_answers
  from merchant.payments
  where business_id = ${tenant.businessId}
  order by id`

describe('the answers of a payer', () => {
  it('belong to the payment and its event', async () => {
    const owner = await asking()
    expect((await press(owner, answers)).status).toBe(303)
    const [begun] = await paymentsOf(owner)
    expect(begun).toMatchObject({ payerName: kept.name, payerAnswers: kept })
    await world().simulator.pay(owner.tenant, begun?.providerReference ?? '')
    await comeBack(world(), begun?.providerReference ?? '')
    const { body } = await world().call('GET', `/merchant/api/v1/payments/${begun?.id}`, {
      key: owner.key,
    })
    expect(body).toMatchObject({ payer_answers: kept, customer: { name: kept.name } })
    const [event] = await eventsOf(world(), owner.tenant)
    expect(event).toMatchObject({ type: 'payment.succeeded', data: { payer_answers: kept } })
  })

  it('are in the event of a payment that fails', async () => {
    const owner = await asking({ note: 'optional' })
    await press(owner, { 'payer-note': 'Ring twice' })
    const [begun] = await paymentsOf(owner)
    await comeBack(world(), begun?.providerReference ?? '', '?status=cancelled')
    const [event] = await eventsOf(world(), owner.tenant)
    expect(event).toMatchObject({
      type: 'payment.failed',
      data: { payer_answers: { note: 'Ring twice' } },
    })
  })

  it('can be left out where they are optional', async () => {
    const owner = await asking({ phone: 'optional', note: 'optional' })
    expect((await press(owner, { 'payer-phone': ' ' })).status).toBe(303)
    const [begun] = await paymentsOf(owner)
    expect(begun).toMatchObject({ payerName: null, payerAnswers: null })
    const { body } = await world().call('GET', `/merchant/api/v1/payments/${begun?.id}`, {
      key: owner.key,
    })
    expect(body).not.toHaveProperty('payer_answers')
  })

  it('to what was not asked are ignored', async () => {
    const owner = await asking({ name: 'optional' })
    await press(owner, answers)
    expect((await paymentsOf(owner))[0]?.payerAnswers).toEqual({ name: kept.name })
    const plain = await asking({})
    await press(plain, answers)
    expect((await paymentsOf(plain))[0]).toMatchObject({ payerName: null, payerAnswers: null })
  })

  it('are corrected by a payer who comes back and presses Pay again', async () => {
    const owner = await asking()
    const token = 'a-token-of-a-form-1'
    await press(owner, { ...answers, token })
    await press(owner, { ...answers, token, 'payer-name': 'Ada Obi', 'payer-phone': '' })
    const payments = await paymentsOf(owner)
    expect(payments).toHaveLength(1)
    expect(payments[0]).toMatchObject({
      payerName: 'Ada Obi',
      payerAnswers: { name: 'Ada Obi', address: kept.address },
    })
  })

  it('keep the payment, but another e-mail address is another payment', async () => {
    const owner = await asking()
    const token = 'a-token-of-a-form-2'
    const first = await press(owner, { ...answers, token })
    const other = { ...answers, token, email: 'right@example.com' }
    const again = await press(owner, other)
    // A double click on the corrected form is one payment.
    await press(owner, other)
    expect(again.headers.get('location')).not.toBe(first.headers.get('location'))
    const payments = await paymentsOf(owner)
    const stored = await Promise.all(
      payments.map(({ id }) => storedPayment(world(), { tenant: owner.tenant, id })),
    )
    expect(stored.map(({ status, payerEmail }) => [status, payerEmail])).toEqual([
      ['cancelled', 'payer@example.com'],
      ['pending', 'right@example.com'],
    ])
  })

  it('are there again when the payer tries once more', async () => {
    const owner = await asking()
    const pressed = await press(owner, answers)
    const cookie = pressed.headers.getSetCookie().map((one) => one.split(';')[0])
    const page = await world().call('GET', owner.page, { headers: { cookie: cookie.join('; ') } })
    expect(page.text).toContain('12 Marina Road\nLagos</textarea>')
    expect(page.text).toContain('value="+234 803 123 4567"')
  })

  it('that are too long for a cookie leave the others in it', async () => {
    const owner = await asking()
    const long = { 'payer-address': '漢'.repeat(500), 'payer-note': '漢'.repeat(500) }
    const pressed = await press(owner, { ...answers, ...long })
    expect(pressed.status).toBe(303)
    const cookies = pressed.headers.getSetCookie()
    expect(Math.max(...cookies.map((one) => one.length))).toBeLessThan(4096)
    const cookie = cookies.map((one) => one.split(';')[0]).join('; ')
    const { text } = await world().call('GET', owner.page, { headers: { cookie } })
    expect(text).toContain('value="+234 803 123 4567"')
  })
})

describe('Pay is refused at the field', () => {
  it.each<[string, Record<string, string>, string, string]>([
    ['without a required answer', { 'payer-name': '' }, 'name', 'Enter your name.'],
    ['for an answer of blanks', { 'payer-address': ' \r\n ' }, 'address', 'Enter your address.'],
    ['for a long answer', { 'payer-note': 'x'.repeat(501) }, 'note', 'At most 500 characters.'],
    ['for a name of two lines', { 'payer-name': 'A\nB' }, 'name', 'Remove characters'],
    ['for control characters', { 'payer-note': 'a\u0007b' }, 'note', 'Remove characters'],
    ['for a null character', { 'payer-address': 'a\0b' }, 'address', 'Remove characters'],
    ['for words as a phone number', { 'payer-phone': 'call me' }, 'phone', 'Enter a phone number'],
  ])('%s, and nothing typed is lost', async (_what, fields, field, problem) => {
    const owner = await asking()
    const refused = await press(owner, { ...answers, 'payer-note': 'Ring twice', ...fields })
    expect(refused.status).toBe(422)
    expect(refused.text).toMatch(new RegExp(`id="payer-${field}-error">\\s*${problem}`))
    const typed = { ...answers, 'payer-note': 'Ring twice', ...fields }
    if (field !== 'name') expect(refused.text).toContain(`value="${typed['payer-name']}"`)
    if (field !== 'address') expect(refused.text).toContain('12 Marina Road\nLagos</textarea>')
    expect(refused.text).toContain('value="payer@example.com"')
    expect(await paymentsOf(owner)).toEqual([])
  })

  it('in French', async () => {
    const owner = await asking()
    const refused = await press(owner, {}, { 'accept-language': 'fr' })
    expect(refused.text).toContain('Saisissez votre nom.')
    expect(refused.text).toContain('Téléphone (facultatif)')
  })
})

describe('a new link', () => {
  const create = async (payerFields: unknown) => {
    const { key } = await shop(world())
    const body = { title: 'Order', currency: 'NGN', amount: 5, payerFields }
    return world().call('POST', '/merchant/api/v1/payment-links', { key, body })
  }

  it('says what it asks for', async () => {
    const { status, body } = await create({ name: 'required', note: 'optional' })
    expect([status, body.payer_fields]).toEqual([200, { name: 'required', note: 'optional' }])
    expect((await create(undefined)).body.payer_fields).toEqual({})
  })

  it.each([
    ['a field that can not be asked for', { birthday: 'required' }],
    ['something else than optional and required', { name: 'maybe' }],
    ['a list', ['name']],
  ])('is refused with %s', async (_what, payerFields) => {
    const { status, body } = await create(payerFields)
    expect([status, Object.keys(body.error.fieldErrors)]).toEqual([400, ['payerFields']])
  })
})
