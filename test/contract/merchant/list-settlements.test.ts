import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { addSeconds } from '../../../src/kernel/basics/clock.ts'
import { simulatorKey } from '../../../src/merchant/provider/choose-provider.ts'
import { merchantScopes } from '../../../src/merchant/scopes.ts'
import { putThreshold } from '../../merchant/refunds/paid-payment.ts'
import { manualClock } from '../../support/clock.ts'
import { csvRecords, parseCsv } from '../../support/csv.ts'
import { useContract } from '../../support/openapi.ts'
import { comeBack, newLink, paidPayment, type Shop, shop } from '../../support/payments.ts'
import { insertRecipient } from '../../support/recipients.ts'

const clock = manualClock(new Date('2026-05-15T12:00:00.000Z'))
const { world, call } = useContract({ clock })
const path = '/merchant/api/v1/settlements'
const dayMs = 24 * 60 * 60 * 1000

const list = (key: string, query = '') => call('GET', `${path}${query}`, { key })

async function paid(owner: Shop, link: object = {}): Promise<string> {
  return (await paidPayment(world(), owner, await newLink(world(), owner, link))).id
}

async function refund(owner: Shop, id: string, amount?: number): Promise<void> {
  await putThreshold(world(), owner.tenant, 'NGN', 100_000_000n)
  const funds = { amount: 10_000, currency: 'NGN' }
  await world().simulator.control(owner.tenant, 'POST', '/fund', funds)
  const answer = await call('POST', `/merchant/api/v1/payments/${id}/refund`, {
    key: owner.key,
    body: amount === undefined ? {} : { amount },
  })
  expect(answer.status).toBe(200)
}

// A recipient whom the simulated provider knows. Each has its own bank account, of which none
// ends in four zeros: those the simulated bank refuses.
let accounts = 0
async function recipient(owner: Shop, splitPercent: string): Promise<string> {
  accounts += 1
  const answer = await fetch(`${world().simulator.url}/v3/subaccounts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${simulatorKey(owner.tenant)}` },
    body: JSON.stringify({
      account_bank: '044',
      account_number: `069000${String(accounts).padStart(4, '0')}`,
      business_name: 'A recipient',
      business_mobile: '09087930450',
      country: 'NG',
      split_type: 'percentage',
      split_value: 0.5,
    }),
  })
  const { data } = (await answer.json()) as { data: { subaccount_id: string } }
  return insertRecipient(world(), owner.tenant, { splitPercent, subaccountId: data.subaccount_id })
}

const idsOf = (body: { data: { payment_id: string }[] }) => body.data.map((row) => row.payment_id)

describe('200', () => {
  // covers: Bodies are JSON (`Content-Type
  // covers: JSON by default, `text/csv` for csv
  it('is empty for a business of which nothing settled, over the last 30 days', async () => {
    const { key } = await shop(world())
    clock.set(new Date('2026-05-15T23:59:59.999Z'))
    const { status, body, headers } = await list(key)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(body).toEqual({ from: '2026-04-16', to: '2026-05-15', data: [], summary: [] })
  })

  // covers: Amount units differ by field and are stated per field
  // covers: Each settled payment carries gross
  it('shows what became of a settled payment, in major units and again in minor', async () => {
    const owner = await shop(world())
    const id = await paid(owner)
    const { body } = await list(owner.key)
    const amounts = { gross: 1000, fee: 15, net: 985, refunded: 0, net_settled: 985 }
    const amountsMinor = {
      gross_minor: 100_000,
      fee_minor: 1500,
      net_minor: 98_500,
      refunded_minor: 0,
      net_settled_minor: 98_500,
    }
    expect(body.data).toEqual([
      {
        payment_id: id,
        currency: 'NGN',
        ...amounts,
        split_recipient_id: null,
        split_amount: null,
        passed_over_recipient_id: null,
        settled_at: clock.now().toISOString(),
        ...amountsMinor,
        split_amount_minor: null,
      },
    ])
    const sums = { ...amounts, ...amountsMinor, split: 0, split_minor: 0 }
    expect(body.summary).toEqual([{ currency: 'NGN', count: 1, ...sums }])
  })

  // covers: Each settled payment carries gross
  it('takes refunds off, also those after the range, below zero by the fee in the end', async () => {
    const owner = await shop(world())
    const id = await paid(owner)
    const day = clock.now().toISOString().slice(0, 10)
    clock.advance(2 * dayMs)
    await refund(owner, id, 30_050)
    const [part] = (await list(owner.key, `?from=${day}&to=${day}`)).body.data
    expect(part).toMatchObject({ net: 985, refunded: 300.5, net_settled: 684.5 })
    await refund(owner, id)
    const { data, summary } = (await list(owner.key, `?from=${day}&to=${day}`)).body
    const after = { net: 985, refunded: 1000, net_settled: -15, net_settled_minor: -1500 }
    expect(data).toMatchObject([after])
    expect(summary).toMatchObject([after])
  })

  // covers: The response also carries a summary per currency
  // covers: Returns every payment that settled in the range with a per-currency summary
  it('has sums per currency, by the decimals of each, in the order of their codes', async () => {
    const owner = await shop(world())
    await paid(owner, { currency: 'NGN', amount: 10.01 })
    await paid(owner, { currency: 'XAF', amount: 1001 })
    await paid(owner, { currency: 'NGN', amount: 20.02 })
    const { text, body } = await list(owner.key)
    const { data, summary } = body
    // Rows and sums alike, with the decimals of the currency.
    expect(text).toContain('"gross":20.02,"fee":0.30,')
    expect(text).toContain('"gross":30.03,"fee":0.45,"net":29.58,"refunded":0.00,')
    expect(text).toContain('"count":1,"gross":1001,"fee":15,')
    expect(data).toMatchObject([
      { currency: 'NGN', gross: 10.01, fee: 0.15, net: 9.86, gross_minor: 1001 },
      { currency: 'XAF', gross: 1001, fee: 15, net: 986, gross_minor: 1001 },
      { currency: 'NGN', gross: 20.02, fee: 0.3, net: 19.72, gross_minor: 2002 },
    ])
    expect(summary).toMatchObject([
      { currency: 'NGN', count: 2, gross: 30.03, fee: 0.45, net: 29.58, net_settled: 29.58 },
      { currency: 'XAF', count: 1, gross: 1001, fee: 15, net: 986, net_settled_minor: 986 },
    ])
  })

  // covers: Returns every payment that settled in the range with a per-currency summary
  it('has what settled, in the order of settling, and nothing that only succeeded', async () => {
    const owner = await shop(world())
    await world().simulator.rule(owner.tenant, { operation: 'charge', effect: 'settle_later' })
    const waiting = await paidPayment(world(), owner)
    await world().simulator.removeRules(owner.tenant)
    clock.advance(1000)
    const settled = await paid(owner)
    expect(idsOf((await list(owner.key)).body)).toEqual([settled])
    clock.advance(1000)
    const step = { subject: 'charge', reference: waiting.reference }
    await world().simulator.control(owner.tenant, 'POST', '/proceed', step)
    await world().simulator.drain()
    await comeBack(world(), waiting.reference)
    expect(idsOf((await list(owner.key)).body)).toEqual([settled, waiting.id])
  })

  // covers: `from` (date), `to` (date)
  it('reaches from the first moment of the first day to the last of the last, in UTC', async () => {
    const owner = await shop(world())
    const at: Record<string, string> = {}
    for (const moment of [
      '2026-06-09T23:59:59.999Z',
      '2026-06-10T00:00:00.000Z',
      '2026-06-11T23:59:59.999Z',
      '2026-06-12T00:00:00.000Z',
    ]) {
      clock.set(new Date(moment))
      at[moment] = await paid(owner)
    }
    const ids = Object.values(at)
    const between = async (query: string) => idsOf((await list(owner.key, query)).body)
    expect(await between('?from=2026-06-10&to=2026-06-11')).toEqual(ids.slice(1, 3))
    expect(await between('?from=2026-06-09&to=2026-06-09')).toEqual(ids.slice(0, 1))
    // To today, and for 30 days, unless told otherwise.
    expect(await between('?from=2026-06-12')).toEqual(ids.slice(3))
    expect(await between('?to=2026-06-11')).toEqual(ids.slice(0, 3))
    expect(await between('?to=2026-07-08')).toEqual(ids)
    expect(await between('?to=2026-07-09')).toEqual(ids.slice(1))
    expect(await between('?to=2026-07-11')).toEqual(ids.slice(3))
    expect(await between('?from=1000-01-01&to=9999-12-31')).toEqual(ids)
    expect(await between('?from=9999-12-30&to=9999-12-31')).toEqual([])
  })

  // covers: `splitRecipientId` (uuid, scopes to one recipient)
  it('shows the share of a split, and can be asked for one recipient', async () => {
    const owner = await shop(world())
    const [first, second] = [await recipient(owner, '10'), await recipient(owner, '33.5')]
    const whole = await paid(owner)
    const tenth = await paid(owner, { splitRecipientId: first })
    const third = await paid(owner, { splitRecipientId: second })
    const { body } = await list(owner.key)
    expect(idsOf(body)).toEqual([whole, tenth, third])
    expect(body.data).toMatchObject([
      { split_recipient_id: null, split_amount: null, split_amount_minor: null },
      { split_recipient_id: first, split_amount: 100, net: 985, net_settled: 885 },
      { split_recipient_id: second, split_amount: 335, split_amount_minor: 33_500 },
    ])
    const own = (await list(owner.key, `?splitRecipientId=${second.toUpperCase()}`)).body
    expect(idsOf(own)).toEqual([third])
    expect(own.summary).toMatchObject([{ currency: 'NGN', count: 1, gross: 1000 }])
    const shares = own.data.map((row: { split_amount_minor: number }) => row.split_amount_minor)
    expect(shares[0]).toBeGreaterThan(0)
    expect(own.summary).toMatchObject([{ split_minor: shares[0], split: shares[0] / 100 }])
  })

  // covers: a link or QR code assigned to
  it('says that it settled to the merchant when the recipient was disabled', async () => {
    const owner = await shop(world())
    const disabled = await insertRecipient(world(), owner.tenant, { disabled: true })
    await paid(owner, { splitRecipientId: disabled })
    expect((await list(owner.key)).body.data).toMatchObject([
      { split_recipient_id: null, split_amount: null, passed_over_recipient_id: disabled },
    ])
    expect((await list(owner.key, `?splitRecipientId=${disabled}`)).body.data).toEqual([])
  })

  it('keeps businesses and environments apart', async () => {
    const live = await shop(world())
    const sandbox = await shop(world(), { ...live.tenant, environment: 'test' })
    const id = await paid(sandbox)
    expect(idsOf((await list(live.key)).body)).toEqual([])
    expect(idsOf((await list((await shop(world())).key)).body)).toEqual([])
    expect(idsOf((await list(sandbox.key)).body)).toEqual([id])
  })

  // covers: Bodies are JSON (`Content-Type
  // covers: `format` (`json` or `csv`)
  // covers: JSON by default, `text/csv` for csv
  // covers: Returns every payment that settled in the range with a per-currency summary
  it('is a file of CSV on request, with the same rows and sums', async () => {
    const owner = await shop(world())
    const given = await paid(owner, { amount: 1234.5 })
    await refund(owner, given)
    await paid(owner, { currency: 'XAF', amount: 1001 })
    const range = '?from=2026-06-01&to=2026-12-31'
    const csv = await list(owner.key, `${range}&format=csv`)
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
    expect(csv.headers.get('content-disposition')).toBe(
      'attachment; filename="settlements-2026-06-01-to-2026-12-31.csv"',
    )
    const { data, summary } = (await list(owner.key, `${range}&format=json`)).body
    const lines = csvRecords(csv.text)
    const records = lines.filter(({ payment_id }) => payment_id !== 'total')
    expect(records.map(asNumbers)).toEqual(data)
    // The sums come last, in the columns of the rows.
    const totals = lines.slice(records.length)
    expect(totals.map(asNumbers)).toEqual(summary.map(asTotal))
    expect(totals).toMatchObject([
      { currency: 'NGN', gross: '1234.50', refunded: '1234.50', split_amount: '0.00' },
      { currency: 'XAF', gross: '1001', net_settled: '986', split_amount_minor: '0' },
    ])
    expect(records[0]).toMatchObject({ gross: '1234.50', net_settled: '-18.52', split_amount: '' })
    expect(records[1]).toMatchObject({ gross: '1001', net_settled: '986' })
  })

  it('is a line of names and nothing else when nothing settled', async () => {
    const { key } = await shop(world())
    const rows = parseCsv((await list(key, '?format=csv')).text)
    expect(rows).toEqual([
      [
        ...['payment_id', 'currency', 'gross', 'fee', 'net', 'refunded', 'net_settled'],
        ...['split_recipient_id', 'split_amount', 'passed_over_recipient_id', 'settled_at'],
        ...['gross_minor', 'fee_minor', 'net_minor', 'refunded_minor', 'net_settled_minor'],
        'split_amount_minor',
      ],
    ])
  })
})

// As JSON has it.
function asNumbers(record: Record<string, string>): Record<string, unknown> {
  const texts = /_id$|^currency$|_at$/
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => {
      if (value === '') return [name, null]
      return [name, texts.test(name) ? value : Number(value)]
    }),
  )
}

// The sums of JSON in the columns of the rows. A file has no count: its lines can be counted.
function asTotal({ count, split, split_minor, ...sums }: Record<string, unknown>) {
  const nothing = { split_recipient_id: null, passed_over_recipient_id: null, settled_at: null }
  const split_amount_minor = split_minor
  return { payment_id: 'total', ...sums, split_amount: split, split_amount_minor, ...nothing }
}

describe('400', () => {
  // covers: `from` (date), `to` (date)
  it.each(['', 'today', '2026-02-30', '2026-13-01', '2026-1-1', '20260101', '0000-01-01'])(
    'is answered to the day "%s"',
    async (day) => {
      const { key } = await shop(world())
      for (const name of ['from', 'to']) {
        const { status, body } = await list(key, `?${name}=${day}`)
        expect(status).toBe(400)
        expect(body.error.fieldErrors).toEqual({ [name]: ['Must be a date such as 2030-01-31.'] })
      }
    },
  )

  it.each(['2026-06-01T00:00:00Z', '+2026-06-01', '2026-06-01 ', '0999-12-31', '10000-01-01'])(
    'is answered to what is more than a day: "%s"',
    async (day) => {
      const { key } = await shop(world())
      expect((await list(key, `?from=${encodeURIComponent(day)}`)).status).toBe(400)
    },
  )

  it('is answered when the first day is after the last', async () => {
    const { key } = await shop(world())
    const tomorrow = addSeconds(clock.now(), 86_400).toISOString().slice(0, 10)
    for (const query of ['?from=2026-06-02&to=2026-06-01', `?from=${tomorrow}`]) {
      const { status, body } = await list(key, query)
      expect(status).toBe(400)
      expect(body.error.fieldErrors).toEqual({ from: ['Must not be after `to`.'] })
    }
    expect((await list(key, '?from=2026-06-01&to=2026-06-01')).status).toBe(200)
  })

  // covers: `format` (`json` or `csv`)
  it.each(['CSV', 'xml', ''])('is answered to the format "%s"', async (format) => {
    const { key } = await shop(world())
    const { status, body } = await list(key, `?format=${format}`)
    expect(status).toBe(400)
    expect(body.error.fieldErrors).toEqual({ format: ['Must be one of: json, csv.'] })
  })

  // covers: `splitRecipientId` (uuid, scopes to one recipient)
  it('is answered to a recipient that cannot be one, and to anything given twice', async () => {
    const { key } = await shop(world())
    expect((await list(key, '?splitRecipientId=x')).status).toBe(400)
    expect((await list(key, '?format=csv&format=json')).status).toBe(400)
    expect((await list(key, '?from=2026-06-01&from=2026-06-01')).status).toBe(400)
  })
})

describe('403', () => {
  const keyWith = async (scopes: string[]) =>
    (await world().key({ service: 'merchant', scopes })).text
  const without = (scope: string) => merchantScopes.filter((one) => one !== scope)

  // covers: `GET /settlements` (settlements:read
  it('is answered to a key without settlements:read, in either format', async () => {
    const key = await keyWith(without('settlements:read'))
    for (const query of ['', '?format=csv']) expect((await list(key, query)).status).toBe(403)
  })

  // covers: `GET /settlements` (settlements:read
  it('is answered to a key without reports:export that asks for CSV', async () => {
    const key = await keyWith(without('reports:export'))
    const { status, body } = await list(key, '?format=csv')
    expect(status).toBe(403)
    expect(body.error).toContain('reports:export')
    expect((await list(key, '?format=json')).status).toBe(200)
  })

  // covers: `GET /settlements` (settlements:read
  it('is not answered to a key with just the scopes it needs', async () => {
    expect((await list(await keyWith(['settlements:read']))).status).toBe(200)
    const both = await keyWith(['settlements:read', 'reports:export'])
    expect((await list(both, '?format=csv')).status).toBe(200)
  })

  it('comes after the format is known to be one', async () => {
    const key = await keyWith(['settlements:read'])
    expect((await list(key, '?format=csv&from=x')).status).toBe(400)
  })
})

describe('404', () => {
  it('is answered for a recipient of no one, of another business or environment', async () => {
    const owner = await shop(world())
    const sandbox = { ...owner.tenant, environment: 'test' as const }
    const stranger = await shop(world())
    const ids = [
      randomUUID(),
      await insertRecipient(world(), sandbox),
      await insertRecipient(world(), stranger.tenant),
    ]
    for (const id of ids) {
      const { status, body } = await list(owner.key, `?splitRecipientId=${id}`)
      expect(status).toBe(404)
      expect(body).toMatchObject({ error: 'No such split recipient.', code: 'not_found' })
    }
  })
})
