// Mails about subscriptions: start, renewal, failed renewal and end, each once and in the language
// of the subscriber.
import { afterEach, describe, expect, it } from 'vitest'
import { payerMailJob, subscriberMailJob } from '../../../src/bridge/payer-mail-job.ts'
import { enqueueJob } from '../../../src/kernel/jobs/enqueue-job.ts'
import { findMailContent } from '../../../src/kernel/mail/mail-store.ts'
import { sendMailJob } from '../../../src/kernel/mail/send-mail.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { mailSubscriberJob } from '../../../src/merchant/payer-mails/send-subscriber-mail.ts'
import { setPayerMails } from '../../../src/merchant/payer-mails/set-payer-mails.ts'
import { manualClock } from '../../support/clock.ts'
import { brokenInvariants, expectInvariants } from '../../support/invariants.ts'
import { workerFor } from '../../support/jobs.ts'
import { pressPay, shop } from '../../support/payments.ts'
import { changedCard, ownPage } from '../../support/subscriber-page.ts'
import {
  cancel,
  cancelAll,
  chargesOf,
  renewDue,
  type Subscribed,
  subscribed,
  subscription,
} from '../../support/subscriptions.ts'
import { useWorld } from '../../support/world.ts'

const clock = manualClock(new Date('2027-01-31T10:00:00.000Z'))
const world = useWorld({ clock })
const dayMs = 24 * 60 * 60 * 1000

afterEach(() => expectInvariants(world().database))
afterEach(() => cancelAll(world()))

type Told = { kind: string; shard: number; id: string; subject: string }

// With what they tell, by kind.
async function mailsOf({ tenant }: Subscribed): Promise<Told[]> {
  const jobs = [payerMailJob, subscriberMailJob, sendMailJob]
  await workerFor(world().context, { jobs }).drain()
  return world().database.sql<Told[]>`
    select told.kind, mail.shard, mail.id, mail.subject
    from merchant.payer_mails as told
    join kernel.mails as mail
      on mail.business_id = told.business_id
      and mail.id = told.mail_id
    where told.business_id = ${tenant.businessId}
    order by told.kind, mail.id`
}

const kindsOf = async (one: Subscribed) => (await mailsOf(one)).map(({ kind }) => kind)

async function contentOf(one: Subscribed, kind: string) {
  const mail = (await mailsOf(one)).find((told) => told.kind === kind)
  const content = mail && (await findMailContent(world().database.sql, mail))
  if (!mail || !content) throw new Error(`no mail tells ${kind}`)
  return { subject: mail.subject, text: content.bodyText, html: content.bodyHtml ?? '' }
}

async function pass(days: number): Promise<void> {
  clock.advance(days * dayMs)
  await renewDue(world())
}

const decline = (one: Subscribed, count?: number) =>
  world().simulator.rule(one.tenant, {
    operation: 'charge',
    effect: 'decline',
    ...(count && { count }),
  })

describe('a subscriber is mailed', () => {
  it('the start and a receipt, with the address of their page', async () => {
    const one = await subscribed(world())
    expect(await kindsOf(one)).toEqual(['receipt', 'subscription_start'])
    const url = `https://tillbook.example${await ownPage(world(), one)}`
    const start = await contentOf(one, 'subscription_start')
    expect(start.subject).toBe('Your subscription with Corner shop: Gold')
    for (const body of [start.text, start.html]) {
      expect(body).toContain('₦1,000.00 every month')
      expect(body).toContain('28 February 2027')
      expect(body).toContain('Verve •••• 4667')
      expect(body).toContain(url)
      expect(body).toContain('Demonstration: this payment is simulated.')
    }
    const receipt = await contentOf(one, 'receipt')
    for (const body of [receipt.text, receipt.html]) {
      expect(body).toContain(url)
      expect(body).toContain('28 February 2027')
    }
  })

  it('a receipt of each renewal', async () => {
    const one = await subscribed(world())
    await pass(32)
    expect(await kindsOf(one)).toEqual(['receipt', 'receipt', 'subscription_start'])
  })

  it('each charge that failed, with the link to change the card, and then the end', async () => {
    const one = await subscribed(world())
    await decline(one)
    await pass(32)
    const failed = await contentOf(one, 'failed_renewal')
    expect(failed.subject).toBe('Payment failed for your subscription with Corner shop: Gold')
    expect(failed.text).toContain(await ownPage(world(), one))
    expect(failed.text).toContain('There was not enough money in your account.')
    for (let day = 0; day < 8; day += 1) await pass(1)
    const told = await kindsOf(one)
    expect(told.filter((kind) => kind === 'failed_renewal')).toHaveLength(4)
    expect(told.filter((kind) => kind === 'subscription_end')).toHaveLength(1)
    const { text } = await contentOf(one, 'subscription_end')
    expect(text).toContain('We could not charge your card several times.')
  })

  it('once that it ends: with the decision, and not again with the end', async () => {
    const one = await subscribed(world())
    await cancel(world(), one, 'period_end')
    const { html } = await contentOf(one, 'subscription_end')
    expect(html).toContain('Your subscription ends on ')
    await pass(32)
    const ends = (await kindsOf(one)).filter((kind) => kind === 'subscription_end')
    expect(ends).toHaveLength(1)
  })

  it('nothing about a subscription that never started, or the check of a card', async () => {
    const unpaid = await subscription(world())
    await cancel(world(), unpaid)
    expect(await kindsOf(unpaid)).toEqual([])
    const one = await subscribed(world())
    await changedCard(world(), one)
    expect(await kindsOf(one)).toEqual(['receipt', 'subscription_start'])
  })

  it('in the language in which they paid, in all later mails too', async () => {
    const one = await subscription(world())
    await pressPay(world(), one.page, {}, { 'accept-language': 'fr-FR,fr' })
    const [first] = await chargesOf(world(), one)
    await world().simulator.pay(one.tenant, first?.providerReference ?? '')
    await world().call('GET', `/pay/return/${first?.providerReference}`)
    await pass(32)
    const subjects = (await mailsOf(one)).map(({ subject }) => subject)
    expect(subjects.map((subject) => subject.replaceAll(/\s/g, ' '))).toEqual([
      'Votre reçu de Corner shop : 1 000,00 ₦',
      'Votre reçu de Corner shop : 1 000,00 ₦',
      'Votre abonnement chez Corner shop : Gold',
    ])
  })

  it('with a mark in the sandbox', async () => {
    const one = await subscribed(world(), {}, await shop(world(), { environment: 'test' }))
    const { text } = await contentOf(one, 'subscription_start')
    expect(text).toMatch(/^Test mode: no real money moves\./)
  })

  it('what the business has switched on', async () => {
    const owner = await shop(world())
    const actor = { ...owner.tenant, kind: 'system', name: 'test' } as const
    await runOperation(setPayerMails, world().context, actor, {
      ...{ receipts: false, renewals: true, refunds: false },
      ...{ subscriptionStarts: false, failedRenewals: false, subscriptionEnds: false },
    })
    const one = await subscribed(world(), {}, owner)
    await pass(32)
    await decline(one)
    await pass(31)
    await cancel(world(), one)
    expect(await kindsOf(one)).toEqual(['receipt'])
  })
})

it('tells a fact to a recipient once, however often its job runs', async () => {
  const one = await subscribed(world())
  const before = await mailsOf(one)
  const { context } = world()
  const payload = { kind: 'subscription_start', subscriptionId: one.id, day: '2027-02-28' } as const
  for (let time = 0; time < 2; time += 1) {
    const again = { tenant: one.tenant, payload }
    await context.database.transaction((tx) => enqueueJob(tx, context, mailSubscriberJob, again))
  }
  expect(await mailsOf(one)).toEqual(before)
})

it('keeps every mail below 60 kB, and writes no colour for text or ground', async () => {
  const one = await subscribed(world(), { name: 'Gold '.repeat(28).trim() })
  await decline(one, 1)
  await pass(32)
  await cancel(world(), one)
  const kinds = ['receipt', 'subscription_start', 'failed_renewal', 'subscription_end']
  for (const kind of kinds) {
    const { html, text } = await contentOf(one, kind)
    expect(Buffer.byteLength(html) + Buffer.byteLength(text)).toBeLessThan(60_000)
    expect(html).toContain('<meta name="color-scheme" content="light dark"')
    expect(html).not.toMatch(/<body[^>]*(?:background|[^-]color):/)
  }
})

it('finds a mail that went to someone else', async () => {
  const one = await subscribed(world())
  const [mail] = await mailsOf(one)
  const send = (to: string) => world().database.sql`
    update kernel.mails
    set recipients = ${[to]},
      accepted = '{}',
      refused = '{}'
    where id = ${mail?.id ?? ''}`
  await send('other@example.com')
  expect(await brokenInvariants(world().database)).toEqual(['I16.2'])
  await send('payer@example.com')
})
