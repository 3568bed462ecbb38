// Disputes in the application: found, explained, and with the evidence that people noted.
import { beforeAll, describe, expect, it } from 'vitest'
import { jobs } from '../../../src/app/background-work.ts'
import { createWorker } from '../../../src/kernel/jobs/worker.ts'
import { reconcileChargebacksSchedule } from '../../../src/merchant/chargebacks/find-chargebacks.ts'
import { type AppVisitor, appVisitor } from '../../support/app-visitor.ts'
import { csvRecords } from '../../support/csv.ts'
import { type Begun, newLink, paidPayment, type Shop, shop } from '../../support/payments.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()

let owner: Shop
let member: AppVisitor
let waiting: Begun
let contested: Begun

const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/[ \n]+/g, ' ')

async function act({ tenant, reference }: Begun, ...steps: readonly string[]): Promise<void> {
  const { simulator, context } = world()
  for (const step of steps) {
    await simulator.control(tenant, 'POST', '/act', { subject: 'charge', reference, step })
    await simulator.drain()
    await createWorker({ context, jobs, schedules: [], slots: 4 }).drain()
    await reconcileChargebacksSchedule.run(context, new AbortController().signal)
  }
}

const paid = async (amount: number) =>
  paidPayment(world(), owner, await newLink(world(), owner, { amount }))

beforeAll(async () => {
  owner = await shop(world())
  member = await appVisitor(world(), owner.tenant.businessId, 'member')
  waiting = await paid(1000)
  await act(waiting, 'charge_back')
  contested = await paid(2000)
  await act(contested, 'charge_back', 'contest_chargeback')
  await act(await paid(3000), 'charge_back', 'win_chargeback')
  await act(await paid(4000), 'charge_back', 'contest_chargeback', 'lose_chargeback')
})

async function pageOf(amount: string): Promise<string> {
  const [row] = csvRecords((await member.get(`/disputes.csv?q=${amount}`)).text)
  return `/disputes/${row?.id}`
}

describe('the list', () => {
  it.each([
    ['', ['4000.00', '3000.00', '2000.00', '1000.00']],
    ['state=needs_answer', ['1000.00']],
    ['state=under_review', ['2000.00']],
    ['state=won', ['3000.00']],
    ['state=lost', ['4000.00']],
    // By a part of the payer's address, and by the amount.
    ['q=AYER', ['4000.00', '3000.00', '2000.00', '1000.00']],
    ['q=stranger', []],
    ['q=3%2C000', ['3000.00']],
    ['period=today&state=won', ['3000.00']],
    ['period=yesterday', []],
  ])('finds them by %s, as a page and as a file', async (query, amounts) => {
    const rows = csvRecords((await member.get(`/disputes.csv?${query}`)).text)
    expect(rows.map(({ amount }) => amount)).toEqual(amounts)
    const page = (await member.get(`/disputes?${query}`)).text
    const ids = [...page.matchAll(/<td[^>]*><a href="\/b\/[^"]*\/disputes\/([0-9a-f-]{36})"/g)]
    expect(ids.map(([, id]) => id)).toEqual(rows.map(({ id }) => id))
  })

  it('by the reference at the provider', async () => {
    const rows = csvRecords((await member.get(`/disputes.csv?q=${waiting.reference}`)).text)
    expect(rows).toMatchObject([{ amount: '1000.00', state: 'needs_answer' }])
  })

  it('counts what can no longer be answered as under review', async () => {
    const { sql } = world().database
    const move = (by: string) => sql`
      update merchant.chargebacks
      set due_at = due_at + ${by}::interval
      where business_id = ${owner.tenant.businessId}
        and payment_id = ${waiting.id}`
    await move('-6 days')
    const { text } = await member.get('/disputes?state=under_review')
    expect(text).toContain('1,000.00')
    expect(textOf((await member.get(await pageOf('1000'))).text)).toContain(
      'The time to answer has passed',
    )
    expect((await member.get('')).text).not.toContain('needs an answer')
    await move('6 days')
  })

  it('shows nothing of another business', async () => {
    const other = await shop(world())
    const stranger = await appVisitor(world(), other.tenant.businessId)
    expect((await stranger.get('/disputes')).text).toContain('No disputes')
    expect((await stranger.get(await pageOf('1000'))).status).toBe(404)
  })
})

describe('a dispute', () => {
  it.each([
    ['1000', /Needs an answer .*until .*\(in 4 days\).*took NGN.1,000\.00 for now/],
    [
      '2000',
      /Under review .*The bank decides.*Your answer is with the provider.*Answer until Answered/,
    ],
    ['3000', /Won .*You won.*came back to your balance/],
    ['4000', /Lost .*You lost.*stays with the payer/],
  ])('of %s says what to do and whether the money is final', async (amount, expected) => {
    expect(textOf((await member.get(await pageOf(amount))).text)).toMatch(expected)
  })

  it('tells what was booked and what happened', async () => {
    const text = textOf((await member.get(await pageOf('3000'))).text)
    expect(text).toMatch(/Ledger entries .*Dispute: money taken .*Dispute won: money returned/)
    expect(text).toMatch(/Timeline Dispute won .*Payment disputed/)
    expect(text).toContain('The cardholder does not recognise the payment')
  })

  it('warns if the provider takes back what was won', async () => {
    await world().database.sql`
      update simulator.chargebacks
      set status = 'lost'
      where business_id = ${owner.tenant.businessId}
        and amount = 3000`
    await reconcileChargebacksSchedule.run(world().context, new AbortController().signal)
    const text = textOf((await member.get(await pageOf('3000'))).text)
    expect(text).toContain('Your balance still holds the money')
    expect(text).not.toContain('You won.')
  })
})

describe('evidence', () => {
  it('is noted by a person, with who and when, and is in the audit log', async () => {
    const page = await pageOf('1000')
    const saved = await member.submit(`${page}/evidence`, { text: 'Slip 118\nin the folder' })
    expect(saved.status).toBe(303)
    const { text } = await member.get(page)
    expect(text).toContain('Slip 118\nin the folder')
    const name = /Evidence noted.*?<p class="quiet mb-0">([^,]*),/s.exec(text)?.[1]
    expect(name).toBeTruthy()
    expect(textOf(text)).toContain(`Evidence of a dispute noted By ${name}`)
  })

  it('must not be empty, and keeps what was typed', async () => {
    const page = await pageOf('1000')
    const refused = await member.submit(`${page}/evidence`, { text: '  ' })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('id="text-error"')
    const long = 'x'.repeat(4001)
    const kept = await member.submit(`${page}/evidence`, { text: long })
    expect(kept.status).toBe(422)
    expect(kept.text).toContain(long)
  })

  it('is not for viewers', async () => {
    const viewer = await appVisitor(world(), owner.tenant.businessId, 'viewer')
    const page = await pageOf('1000')
    expect((await viewer.get(page)).text).not.toContain('/evidence"')
    expect((await viewer.get(`${page}/evidence`)).status).toBe(403)
  })
})

describe('it is reached', () => {
  it('from its payment, which can’t be refunded', async () => {
    const page = await pageOf('1000')
    const { text } = await member.get(`/payments/${waiting.id}`)
    expect(text).toContain(`${page}"`)
    expect(textOf(text)).toContain('The payment is disputed, and the provider took the money.')
  })

  it('from Home, the search and the discrepancies', async () => {
    const home = textOf((await member.get('')).text)
    expect(home).toMatch(/1 dispute needs an answer until \d/)
    expect((await member.get('/search?q=1000')).text).toContain(await pageOf('1000'))
    expect((await member.get('/discrepancies')).text).toContain(await pageOf('1000'))
  })
})

it('is mailed to owners once, and again when it is decided', async () => {
  const subjects = (
    await world().database.sql<{ subject: string }[]>`
      select subject
      from kernel.notices
      where business_id = ${owner.tenant.businessId}
      order by id`
  ).map(({ subject }) => subject)
  expect(subjects.filter((one) => one.includes('1,000') || one.includes('1000'))).toHaveLength(1)
  expect(subjects.filter((one) => one.startsWith('Dispute won'))).toHaveLength(1)
  expect(subjects.filter((one) => one.startsWith('Dispute lost'))).toHaveLength(1)
})
