// Split recipients: registered with a misbehaving provider, disabled, and named by links.
import { expect } from 'vitest'
import { recipientBody } from '../../support/recipients.ts'
import { defineCommand, nothing, pick, type Subject } from '../command.ts'
import { isPaused, type Model } from '../model.ts'
import type { Real } from '../real.ts'
import { lookAtRecipient, sharePercent } from '../recipients.ts'
import { expectPaused } from './pages.ts'

const register = 'POST /subaccounts'
const faults: Readonly<Record<string, readonly object[]>> = {
  none: [],
  'lost before': [{ operation: register, effect: 'drop' }],
  'lost after': [
    { operation: register, effect: 'drop_after' },
    { operation: 'GET /subaccounts', effect: 'drop' },
  ],
  refused: [{ operation: register, effect: 'refuse', status: 400 }],
}

const create = defineCommand(
  'create recipient',
  Object.keys(faults),
  (model) => (model.recipients.length < 3 ? model : undefined),
  async (model, real, _, fault) => {
    const body = recipientBody({ splitValue: Number(sharePercent) })
    const answer = await real.under(faults[fault] ?? [], () => ask(real, body))
    expect(answer.status).toBe(fault === 'none' ? 200 : 502)
    if (fault === 'refused') return
    model.recipients.push({
      id: await newRecipientId(model, real),
      body,
      askedAtMs: model.nowMs,
      isThere: fault !== 'lost before',
      isRegistered: fault === 'none',
      isDisabled: false,
    })
  },
)

const repeat = defineCommand(
  'repeat recipient',
  nothing,
  (model, nth) => pick(model.recipients, nth),
  async (model, real, recipient) => {
    const answer = await ask(real, recipient.body)
    lookAtRecipient(model, recipient)
    expect(answer.status).toBe(recipient.isRegistered ? 200 : 502)
    if (recipient.isRegistered) expect(answer.body.id).toBe(recipient.id)
    model.tally(`repeat recipient × answer ${answer.status}`)
  },
)

const disable = defineCommand(
  'disable recipient',
  [true, false],
  (model, nth, disabled) => pick(model.recipients, nth, (one) => one.isDisabled !== disabled),
  async (_model, real, recipient, disabled) => {
    const path = `/split-recipients/${recipient.id}`
    expect((await real.call('PATCH', path, { body: { disabled } })).status).toBe(200)
    recipient.isDisabled = disabled
  },
)

const createLink = defineCommand(
  'create split link',
  nothing,
  (model, nth) => (model.pages.length < 6 ? pick(model.recipients, nth) : undefined),
  async (model, real, recipient) => {
    const amountMinor = 200_000n
    const answer = await real.call('POST', '/payment-links', {
      body: {
        title: `Invoice ${real.invoiceNumber}`,
        currency: 'NGN',
        amount: Number(amountMinor) / 100,
        splitRecipientId: recipient.id,
      },
    })
    if (isPaused(model, 'payments')) return expectPaused(model, answer.status)
    expect(answer.status).toBe(recipient.isRegistered ? 200 : 400)
    model.tally(`split link × answer ${answer.status}`)
    if (answer.status === 400) return
    const path = new URL(answer.body.url).pathname
    model.pages.push({ kind: 'link', path, amountMinor, singleUse: false, recipient })
  },
)

const ask = (real: Real, body: object) => real.call('POST', '/split-recipients', { body })

async function newRecipientId(model: Model, real: Real): Promise<string> {
  const known = new Set(model.recipients.map(({ id }) => id))
  const { body } = await real.call('GET', '/split-recipients')
  const made = body.data.filter(({ id }: { id: string }) => !known.has(id))
  expect(made).toHaveLength(1)
  return made[0].id
}

export const recipients: Subject = {
  openings: [
    [
      ...['create recipient (lost before)', 'create split link', 'repeat recipient'],
      ...['advance the clock (15)', 'run the worker', 'create split link', 'press Pay'],
      ...['pay by card (settles later)', 'come back', 'press Pay', 'pay by card (none)'],
      ...['disable recipient (true)', 'press Pay', 'pay by card (none)', 'run the worker'],
      ...['disable recipient (false)', 'create recipient (lost after)'],
      ...['advance the clock (15)', 'repeat recipient'],
    ],
  ],
  commands: [create, repeat, disable, createLink],
  reached: [
    ...Object.keys(faults).map((name) => `create recipient (${name})`),
    'repeat recipient × answer 200',
    'repeat recipient × answer 502',
    'recipient × found',
    'recipient × sent again',
    'split link × answer 200',
    'split link × answer 400',
    'press Pay × split',
    'press Pay × disabled',
    'disable recipient (false)',
  ],
}
