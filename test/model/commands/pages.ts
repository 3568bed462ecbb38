// What a merchant offers, and pressing Pay on it.
import { expect } from 'vitest'
import { hostedReference } from '../../../src/kernel/basics/hosted-reference.ts'
import { pressPay } from '../../support/payments.ts'
import { defineCommand, nothing, pick, type Subject } from '../command.ts'
import { isCollected, isOpen, isPaused, type Model, type Page } from '../model.ts'
import type { Real } from '../real.ts'
import { splitMinorOf } from '../recipients.ts'

const amounts = [200_000n, 500_000n]

const createLink = defineCommand(
  'create link',
  amounts.map((amountMinor) => ({ amountMinor, isKeyed: amountMinor === 200_000n })),
  (model) => (model.pages.length < 3 ? model : undefined),
  async (model, real, _, { amountMinor, isKeyed }) => {
    const key = `link-${model.pages.length}`
    const body = {
      title: 'Order 1001',
      currency: 'NGN',
      amount: Number(amountMinor) / 100,
      ...(isKeyed && { idempotencyKey: key }),
    }
    const answer = await real.call('POST', '/payment-links', { body })
    expect(answer.status).toBe(200)
    const path = new URL(answer.body.url).pathname
    const page = { kind: 'link', path, amountMinor, singleUse: false } as const
    model.pages.push(isKeyed ? { ...page, repeat: { key, body, answer: answer.text } } : page)
  },
)

const repeatLink = defineCommand(
  'repeat link',
  [false, true],
  (model, nth) => pick(model.pages, nth, ({ repeat }) => repeat !== undefined)?.repeat,
  async (model, real, { key, body, answer }, isOther) => {
    const wanted = isOther ? { title: 'Something else', currency: 'USD' } : body
    const headers = { 'idempotency-key': key }
    const again = await real.call('POST', '/payment-links', { body: wanted, headers })
    expect(again.text).toBe(answer)
    model.tally(isOther ? 'repeat × another body' : 'repeat × the same body')
  },
)

const createCode = defineCommand(
  'create code',
  amounts.map((amountMinor) => ({ amountMinor, singleUse: amountMinor === 500_000n })),
  (model) => (model.pages.length < 5 ? model : undefined),
  async (model, real, _, { amountMinor, singleUse }) => {
    const body = {
      mode: 'fixed_amount',
      currency: 'NGN',
      amount: Number(amountMinor),
      singleUse,
    }
    const answer = await real.call('POST', '/qr-codes', { body })
    expect(answer.status).toBe(200)
    const path = new URL(answer.body.url).pathname
    model.pages.push({ kind: 'code', path, amountMinor, singleUse })
  },
)

const press = defineCommand(
  'press Pay',
  nothing,
  (model, nth) => (model.payments.length < 9 ? pick(model.pages, nth) : undefined),
  async (model, real, page) => {
    const answer = await pressPay(real.world, page.path)
    const holder = page.singleUse ? holderOf(model, page) : undefined
    const isUsed = holder !== undefined && isCollected(holder)
    if (isPaused(model, 'payments') && !isUsed) {
      expect(answer.status).toBe(503)
      model.tally('press Pay × paused')
      return
    }
    if (holder) {
      expect(answer.status).toBe(isUsed ? 410 : 409)
      model.tally(isUsed ? 'press Pay × used code' : 'press Pay × taken code')
      return
    }
    expect(answer.status).toBe(303)
    const { recipient } = page
    if (recipient) model.tally(`press Pay × ${recipient.isDisabled ? 'disabled' : 'split'}`)
    const id = await newPaymentId(model, real)
    model.payments.push({
      id,
      reference: hostedReference(real.tenant, id),
      page,
      amountMinor: page.amountMinor,
      splitMinor: splitMinorOf(page),
      createdAtMs: model.nowMs,
      status: 'pending',
      refundedMinor: 0n,
      refunds: [],
      charge: undefined,
      isSettled: false,
      isReversed: false,
      chargedBackMinor: 0n,
      isLate: false,
      isUnmatched: false,
    })
  },
)

function holderOf(model: Model, page: Page) {
  return model.payments.find(
    (payment) => payment.page === page && (isOpen(payment) || isCollected(payment)),
  )
}

async function newPaymentId(model: Model, real: Real): Promise<string> {
  const known = new Set(model.payments.map(({ id }) => id))
  const { body } = await real.call('GET', '/payments?limit=100')
  const made = body.data.filter(({ id }: { id: string }) => !known.has(id))
  expect(made).toHaveLength(1)
  return made[0].id
}

export const pages: Subject = {
  commands: [createLink, repeatLink, createCode, press, press, press],
  reached: [
    'press Pay × taken code',
    'press Pay × used code',
    'repeat × the same body',
    'repeat × another body',
  ],
}
