// The list of payments: what is searched and filtered is listed, summed up and written to the file.
import { beforeAll, describe, expect, it } from 'vitest'
import { type AppVisitor, appVisitor } from '../../support/app-visitor.ts'
import { csvRecords } from '../../support/csv.ts'
import { newLink, paidPayment, pressPay, type Shop, shop } from '../../support/payments.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()

let owner: Shop
let visitor: AppVisitor

beforeAll(async () => {
  owner = await shop(world())
  visitor = await appVisitor(world(), owner.tenant.businessId, 'viewer')
  const named = await newLink(world(), owner, { reference: 'order-7', amount: 1500.5 })
  await paidPayment(world(), owner, named)
  await pressPay(world(), await newLink(world(), owner), { email: 'Zoe@example.com' })
  // Payers of subscriptions have a name.
  await world().database.sql`
    update merchant.payments
    set payer_name = 'Zoe 100%'
    where business_id = ${owner.tenant.businessId}
      and payer_email = 'Zoe@example.com'`
  const dollars = await newLink(world(), owner, { currency: 'USD', amount: 20 })
  await pressPay(world(), dollars, { email: 'adam@example.com' })
})

// The addresses of the payers in the file, newest first, after checking that the page agrees.
async function found(query: string): Promise<string[]> {
  const file = await visitor.get(`/payments.csv?${query}`)
  expect(file.headers.get('content-type')).toContain('text/csv')
  const rows = csvRecords(file.text)
  const page = (await visitor.get(`/payments?${query}`)).text
  const ids = [...page.matchAll(/<td[^>]*><a href="\/b\/[^"]*\/payments\/([0-9a-f-]{36})"/g)]
  expect(ids.map(([, id]) => id)).toEqual(rows.map(({ id }) => id))
  return rows.map(({ payer_email: email = '' }) => email.split('@')[0] ?? '')
}

describe('payments are found', () => {
  it.each([
    ['', ['adam', 'Zoe', 'payer']],
    // By the beginning of the address, in any case.
    ['q=ZOE', ['Zoe']],
    ['q=exam', []],
    // By the beginning of the name.
    ['q=zoe+100%25', ['Zoe']],
    ['q=zoe+1_', []],
    // By the reference of the link, whole.
    ['q=order-7', ['payer']],
    ['q=order', []],
    // By the amount, as it is typed, with the decimals of each currency.
    ['q=1%2C500.50', ['payer']],
    ['q=1000', ['Zoe']],
    ['q=20.00', ['adam']],
    ['payer=zoe%40EXAMPLE.com', ['Zoe']],
    ['status=succeeded', ['payer']],
    ['status=pending', ['adam', 'Zoe']],
    ['currency=USD', ['adam']],
    ['min=1000.01', ['payer']],
    ['max=1000', ['adam', 'Zoe']],
    ['min=20&max=1000&currency=NGN', ['Zoe']],
    ['method=card', ['payer']],
    ['method=ussd', []],
    ['period=today', ['adam', 'Zoe', 'payer']],
    ['period=yesterday', []],
    ['from=2020-01-01&to=2020-12-31', []],
    ['status=pending&q=adam&period=last-7-days', ['adam']],
  ])('by %s', async (query, expected) => {
    expect(await found(query)).toEqual(expected)
  })

  it('by id and by the reference at the provider', async () => {
    const [row] = csvRecords((await visitor.get('/payments.csv?q=zoe')).text)
    expect(await found(`q=${row?.id}`)).toEqual(['Zoe'])
    expect(await found(`q=${row?.provider_reference}`)).toEqual(['Zoe'])
  })

  it('by link', async () => {
    const [row] = csvRecords((await visitor.get('/payments.csv?q=order-7')).text)
    const query = `link=${row?.payment_link_id}`
    expect(await found(query)).toEqual(['payer'])
    expect((await visitor.get(`/payments?${query}`)).text).toContain('<strong>Order 1001</strong>')
  })
})

describe('the page', () => {
  it('sums up what is filtered, per currency', async () => {
    const { text } = await visitor.get('/payments?q=order-7')
    const sums = /<ul class="list-totals">(.*?)<\/ul>/s.exec(text)?.[1]?.replaceAll(/<[^>]*>/g, '')
    expect(sums).toBe('1 payment, collected NGN\u00a01,500.50')
    // What is not paid is not collected.
    expect((await visitor.get('/payments?q=zoe')).text).toContain('NGN\u00a00.00')
    expect((await visitor.get('/payments')).text).not.toContain('list-totals')
  })

  it('keeps what can’t be read, says what to do, and lists nothing', async () => {
    const { text } = await visitor.get('/payments?min=ten&payer=zoe&from=soon')
    expect(text).toContain('value="ten"')
    expect(text).toContain('id="min-error"')
    expect(text).toContain('id="payer-error"')
    expect(text).toContain('id="from-error"')
    expect(text).toContain('No payments found')
  })

  it('keeps the other filters when one is changed or removed', async () => {
    const { text } = await visitor.get('/payments?q=zoe&status=pending')
    expect(text).toContain('payments?q=zoe&amp;status=failed"')
    expect(text).toContain('<input type="hidden" name="status" value="pending"')
    expect(text).toMatch(/payments\?status=pending" aria-label="Remove the filter Search: zoe"/)
    expect(text).toContain('payments.csv?q=zoe&amp;status=pending"')
  })

  it('shows nothing of another business', async () => {
    const other = await shop(world())
    const stranger = await appVisitor(world(), other.tenant.businessId)
    expect(csvRecords((await stranger.get('/payments.csv')).text)).toEqual([])
    const [{ id } = { id: '' }] = csvRecords((await visitor.get('/payments.csv?q=zoe')).text)
    expect((await stranger.get(`/payments?q=${id}`)).text).toContain('No payments found')
  })
})
