import { describe, expect, it } from 'vitest'
import { bodyLimitBytes } from '../../../src/kernel/http/app.ts'
import { useContract } from '../../support/openapi.ts'
import type { CallOptions } from '../../support/world.ts'

const { world, call } = useContract()
const path = '/books/api/v1/contacts'

const post = (key: string, options: CallOptions) => call('POST', path, { key, ...options })
const newKey = async () => (await world().key({ service: 'books' })).text

async function written(businessId: string) {
  const { sql } = world().database
  const [row] = await sql<{ contacts: number; events: number; acts: number; keys: number }[]>`
    select
      (select count(*)::int from books.contacts where business_id = ${businessId}) as contacts,
      (select count(*)::int from kernel.events where business_id = ${businessId}) as events,
      (select count(*)::int
       from kernel.audit_log
       where business_id = ${businessId}
         and object_kind = 'contact') as acts,
      (select count(*)::int
       from kernel.idempotency_keys
       where business_id = ${businessId}) as keys`
  return row
}

describe('201', () => {
  it('makes a customer with the defaults of the interface from a name alone', async () => {
    const before = Date.now()
    const { status, body } = await post(await newKey(), { body: { name: 'Adaeze Ltd' } })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Adaeze Ltd',
      is_customer: true,
      is_supplier: false,
      email: null,
      phone: null,
      tax_number: null,
      currency: null,
      payment_terms_days: 30,
      active: true,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
    expect(Date.parse(body.created_at)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(body.created_at)).toBeLessThanOrEqual(Date.now())
  })

  it('keeps every field that was sent', async () => {
    const sent = {
      name: 'Ọláyínká & Sons',
      email: 'sales@olayinka.example',
      phone: '+234 803 000 0000',
      tax_number: 'TIN-01234567-0001',
      is_customer: false,
      is_supplier: true,
    }
    const key = await newKey()
    const { body } = await post(key, { body: sent })
    expect(body).toMatchObject(sent)
    const { body: list } = await call('GET', path, { key })
    expect(list.data).toEqual([body])
  })

  it.each([
    ['160 letters', 'a'.repeat(160)],
    ['160 characters outside the basic plane', '🛒'.repeat(160)],
    ['160 letters between blanks', `  ${'a'.repeat(160)}\t`],
    ['one letter', 'x'],
    ['right-to-left text', 'متجر الزاوية'],
    ['a quote and a semicolon', `Robert'); drop table books.contacts;--`],
    ['markup', '<script>alert(1)</script>'],
    ['a backslash and a percent sign', '\\%_'],
  ])('takes a name of %s', async (_, name) => {
    const { status, body } = await post(await newKey(), { body: { name } })
    expect(status).toBe(201)
    expect(body.name).toBe(name.trim())
  })

  it('trims what stands around a value and takes empty and null for left out', async () => {
    const { body } = await post(await newKey(), {
      body: { name: ' A ', email: ' a@example.com ', phone: '  ', tax_number: '' },
    })
    expect(body).toMatchObject({ name: 'A', email: 'a@example.com', phone: null, tax_number: null })
    const none = { name: 'A', email: ' ', phone: null, is_supplier: null }
    const without = await post(await newKey(), { body: none })
    expect(without.body).toMatchObject({ email: null, phone: null, is_supplier: false })
  })

  it.each([
    ['phone', 50],
    ['tax_number', 50],
  ])('takes %s of %i characters', async (field, length) => {
    const value = '9'.repeat(length)
    const { status, body } = await post(await newKey(), { body: { name: 'A', [field]: value } })
    expect(status).toBe(201)
    expect(body[field]).toBe(value)
  })

  it('takes an e-mail address of 254 characters', async () => {
    const email = longEmail(254)
    const { status, body } = await post(await newKey(), { body: { name: 'A', email } })
    expect(status).toBe(201)
    expect(body.email).toBe(email)
  })

  it('takes a contact that is neither customer nor supplier', async () => {
    const { status } = await post(await newKey(), { body: { name: 'A', is_customer: false } })
    expect(status).toBe(201)
  })

  it('makes two contacts of one name when no idempotency key is sent', async () => {
    const key = await newKey()
    const first = await post(key, { body: { name: 'Twin' } })
    const second = await post(key, { body: { name: 'Twin' } })
    expect(second.body.id).not.toBe(first.body.id)
  })

  it('takes a body of exactly 256 KiB', async () => {
    const { status } = await post(await newKey(), { rawBody: padded(bodyLimitBytes) })
    expect(status).toBe(201)
  })

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset=UTF-8',
  ])('takes the media type %s', async (type) => {
    const options = { rawBody: '{"name":"A"}', headers: { 'content-type': type } }
    expect((await post(await newKey(), options)).status).toBe(201)
  })

  it('takes the last of two fields of one name, as JSON readers do', async () => {
    const { body } = await post(await newKey(), { rawBody: '{"name":"A","name":"B"}' })
    expect(body.name).toBe('B')
  })

  it('is answered to a sandbox key, in the sandbox books', async () => {
    const { text, businessId } = await world().key({ service: 'books', environment: 'test' })
    const { status, body } = await post(text, { body: { name: 'A' } })
    expect(status).toBe(201)
    const rows = await world().database.sql`
      select environment
      from books.contacts
      where business_id = ${businessId}
        and id = ${body.id}`
    expect(rows).toMatchObject([{ environment: 'test' }])
  })

  it('publishes contact.created with exactly the documented data', async () => {
    const { text, businessId } = await world().key({ service: 'books' })
    const { body } = await post(text, {
      body: { name: 'A', email: 'a@example.com', phone: '1', is_supplier: true },
    })
    const events = await world().database.sql`
      select environment, service, type, object_id, data, created_at
      from kernel.events
      where business_id = ${businessId}`
    expect(events).toHaveLength(1)
    expect(events[0]).toEqual({
      environment: 'live',
      service: 'books',
      type: 'contact.created',
      objectId: body.id,
      data: {
        id: body.id,
        name: 'A',
        email: 'a@example.com',
        is_customer: true,
        is_supplier: true,
        currency: null,
      },
      createdAt: expect.any(Date),
    })
  })

  it('writes into the audit log which key made it', async () => {
    const { text, id, businessId } = await world().key({ service: 'books' })
    const { body } = await post(text, { body: { name: 'A' } })
    const acts = await world().database.sql`
      select environment, actor_kind, actor_id, object_kind, object_id
      from kernel.audit_log
      where business_id = ${businessId}
        and action = 'contact.create'`
    expect(acts).toMatchObject([
      {
        environment: 'live',
        actorKind: 'key',
        actorId: id,
        objectKind: 'contact',
        objectId: body.id,
      },
    ])
  })
})

describe('201 to a repeat with the same Idempotency-Key', () => {
  const headers = { 'idempotency-key': 'order-1001' }

  it('is the contact of the first call, whatever the second one says', async () => {
    const { text, businessId } = await world().key({ service: 'books' })
    const first = await post(text, { body: { name: 'First', phone: '1' }, headers })
    const second = await post(text, { body: { name: 'Second' }, headers })
    expect(second.status).toBe(201)
    expect(second.body).toEqual(first.body)
    expect(first.headers.get('idempotent-replay')).toBeNull()
    expect(second.headers.get('idempotent-replay')).toBe('true')
    expect(await written(businessId)).toEqual({ contacts: 1, events: 1, acts: 1, keys: 1 })
  })

  it('is the same also through another key of the business', async () => {
    const businessId = await world().business()
    const one = await world().key({ service: 'books', businessId })
    const two = await world().key({ service: 'books', businessId })
    const first = await post(one.text, { body: { name: 'A' }, headers })
    const second = await post(two.text, { body: { name: 'A' }, headers })
    expect(second.body.id).toBe(first.body.id)
  })

  it('makes one contact and one event out of twenty calls at once', async () => {
    const { text, businessId } = await world().key({ service: 'books' })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        post(text, { body: { name: `Call ${index}` }, headers }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201))
    expect(new Set(answers.map(({ text: raw }) => raw)).size).toBe(1)
    expect(await written(businessId)).toEqual({ contacts: 1, events: 1, acts: 1, keys: 1 })
  })

  it('is another contact in another business, and in the other environment', async () => {
    const businessId = await world().business()
    const live = await world().key({ service: 'books', businessId })
    const test = await world().key({ service: 'books', businessId, environment: 'test' })
    const other = await world().key({ service: 'books' })
    const ids = new Set<string>()
    for (const { text } of [live, test, other]) {
      ids.add((await post(text, { body: { name: 'A' }, headers })).body.id)
    }
    expect(ids.size).toBe(3)
  })

  it('tells keys apart by their case', async () => {
    const key = await newKey()
    const first = await post(key, { body: { name: 'A' }, headers: { 'idempotency-key': 'k' } })
    const second = await post(key, { body: { name: 'A' }, headers: { 'idempotency-key': 'K' } })
    expect(second.body.id).not.toBe(first.body.id)
  })

  it.each(['~', '~'.repeat(255), 'order 1001'])('takes the key %s', async (value) => {
    const key = await newKey()
    const long = { 'idempotency-key': value }
    const first = await post(key, { body: { name: 'A' }, headers: long })
    const second = await post(key, { body: { name: 'A' }, headers: long })
    expect(first.status).toBe(201)
    expect(second.body.id).toBe(first.body.id)
  })

  it('is a new contact after a refused call, which uses no key up', async () => {
    const { text, businessId } = await world().key({ service: 'books' })
    expect((await post(text, { body: { name: '' }, headers })).status).toBe(400)
    expect(await written(businessId)).toEqual({ contacts: 0, events: 0, acts: 0, keys: 0 })
    const { status, body } = await post(text, { body: { name: 'Good' }, headers })
    expect(status).toBe(201)
    expect(body.name).toBe('Good')
  })
})

describe('400', () => {
  const fields: [string, string, unknown][] = [
    ['a missing name', 'name', {}],
    ['an empty name', 'name', { name: '' }],
    ['a blank name', 'name', { name: ' \t\n ' }],
    ['a name of 161 letters', 'name', { name: 'a'.repeat(161) }],
    ['a name of 161 characters outside the basic plane', 'name', { name: '🛒'.repeat(161) }],
    ['a name with U+0000', 'name', { name: 'a\u0000b' }],
    ['a name with a control character', 'name', { name: 'a\u0007b' }],
    ['a name with a C1 control character', 'name', { name: 'a\u0085b' }],
    ['a name with a lone surrogate', 'name', { name: 'a\ud800b' }],
    ['a name of two lines', 'name', { name: 'a\nb' }],
    ['a name with a tab', 'name', { name: 'a\tb' }],
    ['a null name', 'name', { name: null }],
    ['a number for a name', 'name', { name: 42 }],
    ['a list for a name', 'name', { name: ['A'] }],
    ['an object for a name', 'name', { name: { toString: 'A' } }],
    ['an e-mail address without @', 'email', { name: 'A', email: 'no-one' }],
    [
      'an e-mail address with a line break',
      'email',
      { name: 'A', email: 'a@b.example\nBcc: c@d.e' },
    ],
    ['an e-mail address of 255 characters', 'email', { name: 'A', email: longEmail(255) }],
    ['a phone of 51 characters', 'phone', { name: 'A', phone: '1'.repeat(51) }],
    ['a phone of two lines', 'phone', { name: 'A', phone: '1\n2' }],
    ['a number for a phone', 'phone', { name: 'A', phone: 2348030000000 }],
    ['a tax number of 51 characters', 'tax_number', { name: 'A', tax_number: '1'.repeat(51) }],
    ['text for a flag', 'is_customer', { name: 'A', is_customer: 'true' }],
    ['a number for a flag', 'is_supplier', { name: 'A', is_supplier: 1 }],
    ['an unknown field', 'nmae', { name: 'A', nmae: 'B' }],
    ['a field of the record that cannot be set', 'id', { name: 'A', id: 'x' }],
    ['the currency, which is set in the application', 'currency', { name: 'A', currency: 'NGN' }],
    ['a field of another spelling', 'isCustomer', { name: 'A', isCustomer: true }],
    ['a field called constructor', 'constructor', { name: 'A', constructor: {} }],
  ]
  it.each(fields)('is the answer to %s', async (_, field, body) => {
    const { text, businessId } = await world().key({ service: 'books' })
    const answer = await post(text, { body })
    expect(answer.status).toBe(400)
    expect(answer.body.code).toBe('invalid_request')
    expect(answer.body.error.formErrors).toEqual([])
    expect(Object.keys(answer.body.error.fieldErrors)).toEqual([field])
    expect(answer.body.error.fieldErrors[field].length).toBeGreaterThan(0)
    expect(await written(businessId)).toEqual({ contacts: 0, events: 0, acts: 0, keys: 0 })
  })

  it('names a field called __proto__ like any other unknown one', async () => {
    const { status, text } = await post(await newKey(), {
      rawBody: '{"name":"A","__proto__":{"is_customer":false}}',
    })
    expect(status).toBe(400)
    expect(text).toContain('"fieldErrors":{"__proto__":["Unknown field. Accepted: name, ')
  })

  it('names every wrong field at once', async () => {
    const { body } = await post(await newKey(), {
      body: { name: '', email: 'x', is_customer: 'yes', extra: 1, more: 2 },
    })
    expect(Object.keys(body.error.fieldErrors).sort()).toEqual([
      'email',
      'extra',
      'is_customer',
      'more',
      'name',
    ])
  })

  const malformed: [string, CallOptions][] = [
    ['null', { rawBody: 'null' }],
    ['a list', { rawBody: '[{"name":"A"}]' }],
    ['a text', { rawBody: '"A"' }],
    ['a number', { rawBody: '1' }],
    ['a boolean', { rawBody: 'true' }],
    ['malformed JSON', { rawBody: '{"name":"A"' }],
    ['JSON with a trailing comma', { rawBody: '{"name":"A",}' }],
    ['JSON with a comment', { rawBody: '{"name":"A"} // a comment' }],
    ['two JSON values', { rawBody: '{"name":"A"}{"name":"B"}' }],
    ['NaN', { rawBody: '{"name":NaN}' }],
    ['a byte order mark and nothing else', { rawBody: '\ufeff' }],
    ['only blanks', { rawBody: '  ' }],
    ['JSON nested a thousand levels deep', { rawBody: nested(1000) }],
    ['invalid UTF-8', { rawBody: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]) }],
    ['UTF-16', { rawBody: Buffer.from('{"name":"A"}', 'utf16le') }],
    ['a raw control character in JSON', { rawBody: '{"name":"a\u0001b"}' }],
    ['a form', mediaType('application/x-www-form-urlencoded', 'name=A')],
    ['plain text', mediaType('text/plain', '{"name":"A"}')],
    ['another JSON type', mediaType('application/merge-patch+json', '{"name":"A"}')],
    ['no media type', mediaType('', '{"name":"A"}')],
    ['an unreadable media type', mediaType('json', '{"name":"A"}')],
    ['a media type of signs only', mediaType(';;', '{"name":"A"}')],
  ]
  it.each(malformed)('is the answer to a body that is %s', async (_, options) => {
    const { text, businessId } = await world().key({ service: 'books' })
    const { status, body } = await post(text, options)
    expect(status).toBe(400)
    expect(body.code).toBe('invalid_request')
    expect(body.error.formErrors).toHaveLength(1)
    expect(body.error.fieldErrors).toEqual({})
    expect(await written(businessId)).toEqual({ contacts: 0, events: 0, acts: 0, keys: 0 })
  })

  it('is the answer to an empty body, which counts as an empty object', async () => {
    const { status, body } = await post(await newKey(), {})
    expect(status).toBe(400)
    expect(Object.keys(body.error.fieldErrors)).toEqual(['name'])
    const typed = await post(await newKey(), { headers: { 'content-type': 'application/json' } })
    expect(typed.status).toBe(400)
    expect(Object.keys(typed.body.error.fieldErrors)).toEqual(['name'])
  })

  it.each([
    ['an empty idempotency key', ''],
    ['one of 256 characters', 'k'.repeat(256)],
    ['one outside ASCII', 'cl\u00e9'],
  ])('is the answer to %s', async (_, value) => {
    const { text, businessId } = await world().key({ service: 'books' })
    const headers = { 'idempotency-key': value }
    const { status, body } = await post(text, { body: { name: 'A' }, headers })
    expect(status).toBe(400)
    expect(Object.keys(body.error.fieldErrors)).toEqual(['idempotency-key'])
    expect(await written(businessId)).toEqual({ contacts: 0, events: 0, acts: 0, keys: 0 })
  })
})

describe('401', () => {
  it('is the answer without a key, before the body is looked at', async () => {
    expect((await call('POST', path, { rawBody: 'not JSON' })).status).toBe(401)
  })
})

describe('403', () => {
  it('is the answer to a key that may only read, before the body is looked at', async () => {
    const { text, businessId } = await world().key({ service: 'books', scopes: ['read'] })
    for (const options of [{ body: { name: 'A' } }, { rawBody: 'not JSON' }]) {
      const { status, body } = await post(text, options)
      expect(status).toBe(403)
      expect(body.code).toBe('permission_denied')
      expect(body.error).toBe('The key needs the scope write.')
    }
    expect(await written(businessId)).toEqual({ contacts: 0, events: 0, acts: 0, keys: 0 })
  })

  it('is the answer also to a replay: a read-only key learns no contact by its idempotency key', async () => {
    const businessId = await world().business()
    const writer = await world().key({ service: 'books', businessId })
    const reader = await world().key({ service: 'books', businessId, scopes: ['read'] })
    const headers = { 'idempotency-key': 'order-1001' }
    await post(writer.text, { body: { name: 'A' }, headers })
    expect((await post(reader.text, { body: { name: 'A' }, headers })).status).toBe(403)
  })
})

describe('413', () => {
  it('is the answer to a body of one byte more than 256 KiB', async () => {
    const { text, businessId } = await world().key({ service: 'books' })
    const { status, body } = await post(text, { rawBody: padded(bodyLimitBytes + 1) })
    expect(status).toBe(413)
    expect(body.code).toBe('payload_too_large')
    expect(await written(businessId)).toEqual({ contacts: 0, events: 0, acts: 0, keys: 0 })
  })
})

describe('500', () => {
  it('leaves nothing behind when the last statement fails, and says nothing of it', async () => {
    const { text, businessId } = await world().key({ service: 'books' })
    const { sql } = world().database
    await sql`
      alter table kernel.audit_log
      add constraint no_contacts_today check (action <> 'contact.create') not valid`
    try {
      const headers = { 'idempotency-key': 'order-1001' }
      const { status, body, text: raw } = await post(text, { body: { name: 'A' }, headers })
      expect(status).toBe(500)
      expect(body.code).toBe('internal_error')
      expect(raw).not.toMatch(/audit|constraint|check/i)
      expect(await written(businessId)).toEqual({ contacts: 0, events: 0, acts: 0, keys: 0 })
    } finally {
      await sql`alter table kernel.audit_log drop constraint no_contacts_today`
    }
  })
})

function padded(length: number): string {
  const json = '{"name":"A"}'
  return json + ' '.repeat(length - json.length)
}

function nested(levels: number): string {
  return `{"name":${'['.repeat(levels)}${']'.repeat(levels)}}`
}

function longEmail(length: number): string {
  const domain = `@${'d'.repeat(60)}.${'d'.repeat(60)}.${'d'.repeat(60)}.example`
  return domain.padStart(length, 'l')
}

function mediaType(type: string, rawBody: string): CallOptions {
  return { rawBody, headers: { 'content-type': type } }
}
