import { describe, expect, it } from 'vitest'
import {
  invoiceLine as line,
  nothingWritten as nothing,
  invoicesPath as path,
  useInvoiceShop,
} from '../../support/invoice-shop.ts'

const { world, call, shop, written } = useInvoiceShop()

describe('201', () => {
  it('makes a draft with the defaults of the interface', async () => {
    const { post, customer, account } = await shop()
    const { status, body } = await post({ lines: [line] })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      kind: 'invoice',
      number: null,
      status: 'draft',
      contact_id: customer.id,
      date: '2026-03-01',
      due_date: '2026-03-31',
      reference: null,
      credits_document_id: null,
      currency: 'EUR',
      fx_rate: 1,
      subtotal: 100,
      tax_total: 0,
      total: 100,
      amount_paid: 0,
      amount_credited: 0,
      amount_written_off: 0,
      amount_due: 100,
      notes: null,
      created_at: '2026-03-01T23:30:00.000Z',
      lines: [
        {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          position: 1,
          item_id: null,
          description: 'Work',
          quantity: 1,
          unit_price: 100,
          discount_pct: 0,
          account_id: account('4000'),
          tax_code_id: null,
          net: 100,
          tax: 0,
          gross: 100,
        },
      ],
    })
  })

  it('keeps every field that was sent', async () => {
    const { post, account, taxCode, item } = await shop()
    const vat = await taxCode('20')
    const pen = await item()
    const { body } = await post({
      date: '2026-02-03',
      due_date: '2026-02-03',
      reference: 'PO-7',
      currency: 'EUR',
      notes: 'Thank you\nfor your business',
      lines: [
        {
          description: 'Pens\nblue',
          quantity: 2.5,
          unit_price: 12.3456,
          discount_pct: 12.5,
          item_id: pen.id,
          account_id: account('4100'),
          tax_code_id: vat.id,
        },
      ],
    })
    expect(body).toMatchObject({
      date: '2026-02-03',
      due_date: '2026-02-03',
      reference: 'PO-7',
      notes: 'Thank you\nfor your business',
      // 2.5 × 12.3456 × 0.875 = 27.006
      subtotal: 27.01,
      tax_total: 5.4,
      total: 32.41,
    })
    expect(body.lines).toMatchObject([
      {
        description: 'Pens\nblue',
        quantity: 2.5,
        unit_price: 12.3456,
        discount_pct: 12.5,
        item_id: pen.id,
        account_id: account('4100'),
        tax_code_id: vat.id,
        net: 27.01,
        tax: 5.4,
        gross: 32.41,
      },
    ])
  })

  it('can be read again as it was answered', async () => {
    const { post, key } = await shop()
    const { body } = await post({ lines: [line, { ...line, description: 'More' }] })
    expect((await call('GET', `${path}/${body.id}`, { key })).body).toEqual(body)
  })

  it('has 200 lines at most, in the order in which they came', async () => {
    const { post } = await shop()
    const lines = Array.from({ length: 200 }, (_, index) => ({ ...line, description: `${index}` }))
    const { status, body } = await post({ lines })
    expect(status).toBe(201)
    expect(body.lines.map((one: { position: number }) => one.position)).toEqual(
      lines.map((_, index) => index + 1),
    )
    expect(body.lines.map((one: { description: string }) => one.description)).toEqual(
      lines.map(({ description }) => description),
    )
    expect(body.total).toBe(20_000)
  })

  it('takes today from where the organisation is', async () => {
    const { post, set } = await shop()
    await set({ timeZone: 'Africa/Lagos' })
    expect((await post({ lines: [line] })).body.date).toBe('2026-03-02')
  })

  it('is due after the payment terms of the customer, and never after the year 9999', async () => {
    const { post, contact } = await shop()
    const patient = await contact({ paymentTermsDays: 45 })
    const at = async (date: string) =>
      (await post({ contact_id: patient.id, date, lines: [line] })).body.due_date
    expect(await at('2028-01-20')).toBe('2028-03-05')
    expect(await at('9999-12-01')).toBe('9999-12-31')
  })

  it('is in the currency of the customer, then in the base currency', async () => {
    const { post, contact } = await shop()
    const american = await contact({ currency: 'USD' })
    const currencies = [
      await post({ contact_id: american.id, lines: [line] }),
      await post({ contact_id: american.id, currency: 'KWD', lines: [line] }),
      await post({ lines: [line] }),
    ].map(({ body }) => body.currency)
    expect(currencies).toEqual(['USD', 'KWD', 'EUR'])
  })

  it('has the newest rate on or before its date, and none while none is known', async () => {
    const { post, rate, key } = await shop()
    await rate('USD', '2026-02-01', '0.92')
    await rate('USD', '2026-02-10', '0.8765')
    const on = async (date: string) =>
      (await post({ date, currency: 'USD', lines: [line] })).body.fx_rate
    expect([await on('2026-01-31'), await on('2026-02-01'), await on('2026-02-09')]).toEqual([
      null,
      0.92,
      0.92,
    ])
    expect(await on('2026-02-10')).toBe(0.8765)
    // A rate that becomes known later is that of the draft too.
    await rate('USD', '2026-01-15', '0.9')
    const { body: page } = await call('GET', `${path}?to=2026-01-31`, { key })
    expect(page.data).toMatchObject([{ fx_rate: 0.9 }])
    const { body } = await call('GET', `${path}/${page.data[0].id}`, { key })
    expect(body.fx_rate).toBe(0.9)
  })

  it('rounds to the decimals that the currency has', async () => {
    const { post } = await shop()
    const total = async (currency: string, unit_price: number) =>
      (await post({ currency, lines: [{ ...line, unit_price }] })).body.total
    expect(await total('JPY', 1234.5)).toBe(1235)
    expect(await total('KWD', 1.2345)).toBe(1.235)
  })

  it('rounds tax by line or by document, as the organisation says', async () => {
    const { post, set, taxCode } = await shop()
    const vat = await taxCode('15')
    const lines = [25.06, 25.61, 25.63].map((unit_price) => ({
      ...line,
      unit_price,
      tax_code_id: vat.id,
    }))
    expect((await post({ lines })).body).toMatchObject({ tax_total: 11.44, total: 87.74 })
    await set({ taxRounding: 'document' })
    expect((await post({ lines })).body).toMatchObject({ tax_total: 11.45, total: 87.75 })
  })

  it('answers amounts as exact numbers', async () => {
    const { key, customer } = await shop()
    const { text } = await call('POST', path, {
      key,
      rawBody:
        `{"contact_id":"${customer.id}","lines":[{"description":"A",` +
        '"unit_price":999999999999.123456,"quantity":0.000001}, {"description":"B",' +
        '"unit_price":1e2,"quantity":1.50}]}',
    })
    expect(text).toContain('"unit_price":999999999999.123456')
    expect(text).toContain('"quantity":0.000001')
    expect(text).toContain('"quantity":1.5,')
    // 999,999.999999123456 + 150
    expect(text).toContain('"total":1000150')
  })

  it('sends invoice.created with the documented data, and writes who did it', async () => {
    const { post, businessId, customer } = await shop()
    const { body } = await post({ reference: 'R', lines: [{ ...line, unit_price: 0.1 }] })
    const [event] = await world().database.sql`
      select service, environment, object_id, data
      from kernel.events
      where business_id = ${businessId}
        and type = 'invoice.created'`
    expect(event).toEqual({
      service: 'books',
      environment: 'live',
      objectId: body.id,
      data: {
        id: body.id,
        kind: 'invoice',
        number: null,
        status: 'draft',
        contact_id: customer.id,
        date: '2026-03-01',
        due_date: '2026-03-31',
        currency: 'EUR',
        subtotal: 0.1,
        tax_total: 0,
        total: 0.1,
        amount_paid: 0,
        reference: 'R',
      },
    })
    expect(await written({ businessId })).toMatchObject({ documents: 1, lines: 1, acts: 1 })
  })

  it('is in no books: nothing is posted and no number is used', async () => {
    const { post, businessId } = await shop()
    await post({ lines: [line] })
    const [row] = await world().database.sql`
      select
        (select count(*)::int
         from books.journal_entries
         where business_id = ${businessId}) as entries,
        (select count(*)::int
         from books.number_counters
         where business_id = ${businessId}) as numbers`
    expect(row).toEqual({ entries: 0, numbers: 0 })
  })

  it('takes empty texts for none', async () => {
    const { post } = await shop()
    const { body } = await post({ reference: ' ', notes: '', lines: [line] })
    expect(body).toMatchObject({ reference: null, notes: null })
  })
})

describe('201, with what is null', () => {
  it('takes null in optional fields for left out', async () => {
    const { post } = await shop()
    const empty = { item_id: null, discount_pct: null, account_id: null, tax_code_id: null }
    const { status, body } = await post({
      ...{ date: null, due_date: null, reference: null, currency: null, notes: null },
      lines: [{ ...line, quantity: null, ...empty }],
    })
    expect(status).toBe(201)
    const { body: plain } = await post({ lines: [line] })
    const { id, created_at, lines, ...rest } = plain
    expect(body).toMatchObject({ ...rest, lines: [{ ...lines[0], id: expect.any(String) }] })
  })
})

describe('201, with long texts', () => {
  it('has 200 lines of 2,000 characters each, and no more than 4 MiB', async () => {
    const { post } = await shop()
    const lines = Array(200).fill({ ...line, description: '€'.repeat(2000) })
    expect((await post({ lines })).status).toBe(201)
    const notes = 'x'.repeat(4 * 1024 * 1024)
    expect((await post({ lines: [line], notes })).status).toBe(413)
  })
})

describe('201, with what a line leaves out', () => {
  it('comes from the line, then its item, then the customer, then the organisation', async () => {
    const { post, account, taxCode, item, contact, set } = await shop()
    const codes = {
      line: await taxCode('1'),
      item: await taxCode('2'),
      contact: await taxCode('3'),
      organisation: await taxCode('4'),
    }
    const pen = await item({ salesAccountId: account('4100'), salesTaxCodeId: codes.item.id })
    const bare = await item()
    const customer = await contact({
      salesAccountId: account('4800'),
      salesTaxCodeId: codes.contact.id,
    })
    const plain = await contact()
    await set({
      defaultSalesAccountId: account('4900'),
      defaultSalesTaxCodeId: codes.organisation.id,
    })
    const own = { account_id: account('4000'), tax_code_id: codes.line.id }
    const { body } = await post({
      contact_id: customer.id,
      lines: [
        { ...line, item_id: pen.id, ...own },
        { ...line, item_id: pen.id },
        { ...line, item_id: bare.id },
        line,
      ],
    })
    const named = (answer: { lines: { account_id: string; tax_code_id: string }[] }) =>
      answer.lines.map(({ account_id, tax_code_id }) => [account_id, tax_code_id])
    expect(named(body)).toEqual([
      [account('4000'), codes.line.id],
      [account('4100'), codes.item.id],
      [account('4800'), codes.contact.id],
      [account('4800'), codes.contact.id],
    ])
    const other = await post({ contact_id: plain.id, lines: [line] })
    expect(named(other.body)).toEqual([[account('4900'), codes.organisation.id]])
  })

  it('takes the sales side of everything, never the purchase side', async () => {
    const { post, account, item } = await shop()
    const pen = await item({ purchaseAccountId: account('5000') })
    const { body } = await post({ lines: [{ ...line, item_id: pen.id }] })
    expect(body.lines[0].account_id).toBe(account('4000'))
  })

  it('passes over a default that was retired', async () => {
    const { post, account, contact, businessId } = await shop()
    const customer = await contact({ salesAccountId: account('4800') })
    await world().database.sql`
      update books.accounts
      set active = false
      where business_id = ${businessId}
        and id = ${account('4800')}`
    const { status, body } = await post({ contact_id: customer.id, lines: [line] })
    expect(status).toBe(201)
    expect(body.lines[0].account_id).toBe(account('4000'))
  })
})

describe('201 to a repeat with the same Idempotency-Key', () => {
  const headers = { 'idempotency-key': 'order-1001' }

  it('is the invoice of the first call, whatever the second one says', async () => {
    const { post, businessId } = await shop()
    const first = await post({ lines: [line] }, { headers })
    const second = await post({ lines: [line, line] }, { headers })
    expect(second.status).toBe(201)
    expect(second.body).toEqual(first.body)
    expect(first.headers.get('idempotent-replay')).toBeNull()
    expect(second.headers.get('idempotent-replay')).toBe('true')
    expect(await written({ businessId })).toEqual({
      documents: 1,
      lines: 1,
      events: 1,
      acts: 1,
      keys: 1,
    })
  })

  it('tells the business in its audit log when the second one differs', async () => {
    const { post, businessId } = await shop()
    const { body } = await post({ lines: [line] }, { headers })
    const same = await post({ lines: [line] }, { headers })
    expect(same.headers.get('idempotent-replay')).toBe('true')
    const differences = () => world().database.sql`
      select actor_kind, object_kind, object_id, detail
      from kernel.audit_log
      where business_id = ${businessId}
        and action = 'idempotency_key.differ'`
    expect(await differences()).toEqual([])
    await post({ lines: [line, line] }, { headers })
    expect(await differences()).toEqual([
      {
        ...{ actorKind: 'key', objectKind: 'invoices', objectId: body.id },
        detail: { idempotency_key: 'order-1001' },
      },
    ])
  })

  it('makes one invoice out of ten calls at once', async () => {
    const { post, businessId } = await shop()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => post({ lines: [line] }, { headers })),
    )
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(await written({ businessId })).toMatchObject({ documents: 1, events: 1 })
  })

  it('is a new invoice after a refused call, and independent of a contact with the same key', async () => {
    const { post, key, businessId } = await shop()
    expect((await post({ lines: [] }, { headers })).status).toBe(400)
    expect(await written({ businessId })).toEqual(nothing)
    await call('POST', '/books/api/v1/contacts', { key, body: { name: 'A' }, headers })
    expect((await post({ lines: [line] }, { headers })).body.kind).toBe('invoice')
  })
})

describe('403', () => {
  it('is the answer to a key that may only read', async () => {
    const { key, businessId, customer } = await shop()
    const reader = (await world().key({ service: 'books', businessId, scopes: ['read'] })).text
    const body = { contact_id: customer.id, lines: [line] }
    expect((await call('POST', path, { key: reader, body })).status).toBe(403)
    expect((await call('POST', path, { key, body })).status).toBe(201)
  })
})

describe('500', () => {
  it('leaves nothing behind when the last statement fails', async () => {
    const { post, businessId } = await shop()
    const { sql } = world().database
    await sql`
      alter table kernel.audit_log
      add constraint no_invoices_today check (action <> 'invoice.create') not valid`
    try {
      const { status } = await post({ lines: [line] }, { headers: { 'idempotency-key': 'a' } })
      expect(status).toBe(500)
      expect(await written({ businessId })).toEqual(nothing)
    } finally {
      await sql`alter table kernel.audit_log drop constraint no_invoices_today`
    }
  })
})
