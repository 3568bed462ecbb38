// The merchant's offers, and pressing Pay.
import { expect } from 'vitest'
import { pressPay } from '../../support/payments.ts'
import { defineCommand, nothing, pick, type Subject } from '../command.ts'
import { isCollected, isOpen, isPaused, type Model, newPayment, type Page } from '../model.ts'

const amounts = [200_000n, 500_000n]

const createLink = defineCommand(
  'create link',
  amounts.map((amountMinor) => ({ amountMinor, isKeyed: amountMinor === 200_000n })),
  (model) => (model.pages.length < 3 ? model : undefined),
  async (model, real, _, { amountMinor, isKeyed }) => {
    const key = `link-${model.pages.length}`
    const body = {
      title: isKeyed ? 'Order 1001' : `Invoice ${real.invoiceNumber}`,
      currency: 'NGN',
      amount: Number(amountMinor) / 100,
      ...(isKeyed && { idempotencyKey: key }),
    }
    const answer = await real.call('POST', '/payment-links', { body })
    if (isPaused(model, 'payments')) return expectPaused(model, answer.status)
    expect(answer.status).toBe(200)
    const path = new URL(answer.body.url).pathname
    const page = { kind: 'link', path, amountMinor, singleUse: false } as const
    model.pages.push(isKeyed ? { ...page, repeat: { key, body, answer: answer.text } } : page)
  },
)

export function expectPaused(model: Model, status: number): void {
  expect(status).toBe(503)
  model.tally('create page × paused')
}

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
    if (isPaused(model, 'payments')) return expectPaused(model, answer.status)
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
    newPayment(model, page, await real.findNewPayment(model))
  },
)

function holderOf(model: Model, page: Page) {
  return model.payments.find(
    (payment) => payment.page === page && (isOpen(payment) || isCollected(payment)),
  )
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
