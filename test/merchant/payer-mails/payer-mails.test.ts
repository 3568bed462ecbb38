// Receipts and refund notices: who gets one, when, and that it is one.
import { expect, it } from 'vitest'
import { payerMailJob } from '../../../src/bridge/payer-mail-job.ts'
import type { Tenant } from '../../../src/kernel/basics/tenant.ts'
import { enqueueJob } from '../../../src/kernel/jobs/enqueue-job.ts'
import { findMailContent } from '../../../src/kernel/mail/mail-store.ts'
import { sendMailJob } from '../../../src/kernel/mail/send-mail.ts'
import { mailPayerJob } from '../../../src/merchant/payer-mails/send-payer-mail.ts'
import { appVisitor } from '../../support/app-visitor.ts'
import { workerFor } from '../../support/jobs.ts'
import {
  comeBack,
  newLink,
  paidPayment,
  payment as pendingPayment,
  type Shop,
  shop,
} from '../../support/payments.ts'
import { useWorld } from '../../support/world.ts'
import { putThreshold } from '../refunds/paid-payment.ts'

const world = useWorld()

type Mailed = {
  shard: number
  id: string
  recipients: string[]
  subject: string
  state: string
  senderName: string
  replyTo: string | null
}

// Everything that is due is written and, in the sandbox or without a mail server, kept.
async function mailsOf({ businessId }: Tenant): Promise<Mailed[]> {
  await workerFor(world().context, { jobs: [payerMailJob, sendMailJob] }).drain()
  return world().database.sql<Mailed[]>`
    select shard, id, recipients, subject, state, sender_name, reply_to
    from kernel.mails
    where business_id = ${businessId}
    order by created_at, id`
}

async function contentOf(mail: Mailed | undefined) {
  const content = mail && (await findMailContent(world().database.sql, mail))
  if (!content) throw new Error('there is no such mail')
  return { text: content.bodyText, html: content.bodyHtml ?? '' }
}

async function choose({ tenant }: Shop, fields: Record<string, string>): Promise<void> {
  const admin = await appVisitor(world(), tenant.businessId, 'admin')
  const opened = await admin.get('/settings/payer-mails')
  const token = /name="form_token" value="([^"]*)"/.exec(opened.text)?.[1] ?? ''
  const answer = await admin.post('/settings/payer-mails', { form_token: token, ...fields })
  expect(answer.status).toBe(303)
}

// Without approval, and out of money that is there.
async function refund({ tenant, key, id }: Shop & { id: string }, amount: number): Promise<void> {
  await putThreshold(world(), tenant, 'NGN', 100_000_000n)
  await world().simulator.control(tenant, 'POST', '/fund', { amount: 10_000, currency: 'NGN' })
  const path = `/merchant/api/v1/payments/${id}/refund`
  expect((await world().call('POST', path, { key, body: { amount } })).status).toBe(200)
}

it('mails one receipt for a payment, however often its success is told', async () => {
  const seller = await shop(world())
  const admin = await appVisitor(world(), seller.tenant.businessId, 'admin')
  await admin.submit('/settings/branding/edit', { contactEmail: 'help@shop.example' })
  const path = await newLink(world(), seller, { reference: 'order-1001' })
  const paid = await paidPayment(world(), seller, path)
  await comeBack(world(), paid.reference)
  const mails = await mailsOf(paid.tenant)
  expect(mails).toMatchObject([
    {
      id: paid.id,
      recipients: ['payer@example.com'],
      subject: 'Your receipt from Corner shop: ₦1,000.00',
      senderName: 'Corner shop',
      replyTo: 'help@shop.example',
    },
  ])
  const { text, html } = await contentOf(mails[0])
  for (const body of [text, html]) {
    expect(body).toContain('Order 1001')
    expect(body).toContain('Verve •••• 4667')
    expect(body).toContain('order-1001')
    expect(body).toContain(paid.id)
    expect(body).toContain('help@shop.example')
    expect(body).toContain(`https://tillbook.example/receipt/${paid.reference}/`)
    expect(body).toContain('Demonstration: this payment is simulated.')
  }

  const again = { tenant: paid.tenant, payload: { paymentId: paid.id, refundId: null } }
  const { context } = world()
  await context.database.transaction((tx) => enqueueJob(tx, context, mailPayerJob, again))
  expect(await mailsOf(paid.tenant)).toHaveLength(1)
})

it('mails nothing for a payment that has not succeeded', async () => {
  const pending = await pendingPayment(world())
  await comeBack(world(), pending.reference, '?status=cancelled')
  expect(await mailsOf(pending.tenant)).toEqual([])
})

it('mails a notice for each refund', async () => {
  const paid = await paidPayment(world())
  await refund(paid, 25_000)
  await refund(paid, 75_000)
  const mails = await mailsOf(paid.tenant)
  expect(mails.map(({ subject }) => subject).toSorted()).toEqual([
    'Your receipt from Corner shop: ₦1,000.00',
    'Your refund from Corner shop: ₦250.00',
    'Your refund from Corner shop: ₦750.00',
  ])
  const { text } = await contentOf(mails.find(({ subject }) => subject.includes('250.00')))
  expect(text).toContain('Corner shop has refunded your payment.')
  expect(text).toContain('Payment: ₦1,000.00')
})

it('keeps the mails of the sandbox and marks them', async () => {
  const paid = await paidPayment(world(), await shop(world(), { environment: 'test' }))
  const mails = await mailsOf(paid.tenant)
  expect(mails).toMatchObject([{ id: paid.id, state: 'kept' }])
  const { text, html } = await contentOf(mails[0])
  expect(text).toMatch(/^Test mode: no real money moves\./)
  expect(html).toContain('Test mode: no real money moves.')
})

it('mails what the business has switched on, and nothing that was before', async () => {
  const seller = await shop(world())
  await choose(seller, { refunds: 'on' })
  const paid = await paidPayment(world(), seller)
  expect(await mailsOf(seller.tenant)).toEqual([])
  await choose(seller, { receipts: 'on' })
  await refund(paid, 100_000)
  await comeBack(world(), paid.reference)
  expect(await mailsOf(seller.tenant)).toEqual([])
  const next = await paidPayment(world(), seller)
  expect(await mailsOf(seller.tenant)).toMatchObject([{ id: next.id }])
})

it('starts off for a business from before, and only admins switch it', async () => {
  const { tenant } = await shop(world())
  const { sql } = world().database
  const [column] = await sql<{ columnDefault: string }[]>`
    select column_default
    from information_schema.columns
    where table_schema = 'merchant'
      and table_name = 'profiles'
      and column_name = 'mails_receipts'`
  expect(column?.columnDefault).toBe('false')
  const viewer = await appVisitor(world(), tenant.businessId, 'viewer')
  expect((await viewer.get('/settings')).text).not.toContain('/settings/payer-mails')
  expect((await viewer.get('/settings/payer-mails')).status).toBe(403)
})
