// POST /payments: the hosted checkout. Nothing is charged yet, so the same tx_ref can be sent again
// (for example after a lost response) and gets another link; only the first one paid is charged. A
// rule can refuse the second link, as the provider may.
import { addSeconds } from '../../kernel/basics/clock.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { writeJson } from '../../kernel/money/exact-number.ts'
import type { Endpoint } from '../endpoint.ts'
import { success } from '../envelope.ts'
import {
  currencyOf,
  type Fields,
  optionalList,
  optionalObject,
  optionalText,
  refuse,
  requiredAmount,
  requiredText,
  wholeNumber,
} from '../fields.ts'
import { consumeRules } from '../rules/consume-rules.ts'
import { findEffect, type Subject } from '../rules/rule.ts'
import { listSubaccountsNamed } from '../subaccounts/subaccount-store.ts'
import type { World } from '../world.ts'
import { checkoutPath } from './checkout.ts'
import { findNewestCheckout, insertCheckout } from './checkout-store.ts'
import { namedSubaccount, readSplit } from './split.ts'

const sessionMinutesMax = 1440
const retriesDefault = 5

export const createPaymentLink: Endpoint = {
  method: 'POST',
  path: '/payments',
  async handle(context, world, { body }) {
    const customer = optionalObject(body, 'customer')
    const minutes = wholeNumber(body, 'session_duration', sessionMinutesMax, [1, sessionMinutesMax])
    const now = context.clock.now()
    const id = context.ids.uuid()
    const txRef = requiredText(body, 'tx_ref', 100)
    const amount = requiredAmount(body)
    await checkSubaccounts(context.database.sql, world, body)
    await checkRepeated(context.database.sql, world, { amount, reference: txRef })
    await insertCheckout(context.database.sql, world.tenant, {
      id,
      txRef,
      amount,
      currency: currencyOf(body),
      redirectUrl: readRedirectUrl(body),
      title: optionalText(optionalObject(body, 'customizations'), 'title') ?? null,
      customerEmail: requiredText(customer, 'email', 254),
      customerName: optionalText(customer, 'name') ?? null,
      customerPhone:
        optionalText(customer, 'phonenumber') ?? optionalText(customer, 'phone_number') ?? null,
      meta: writeJson(optionalObject(body, 'meta')),
      subaccounts: writeJson(optionalList(body, 'subaccounts')),
      retriesMax: wholeNumber(body, 'max_retry_attempt', retriesDefault, [1, 100]),
      status: 'open',
      expiresAt: addSeconds(now, minutes * 60),
      createdAt: now,
    })
    return success('Hosted Link', { link: `${context.publicUrl}${checkoutPath(id)}` })
  },
}

async function checkRepeated(sql: Sql, world: World, subject: Required<Subject>): Promise<void> {
  const effects = await consumeRules(sql, world, 'call', ['checkout'], subject)
  if (!findEffect(effects, 'refuse_repeated')) return
  const earlier = await findNewestCheckout(sql, world.tenant, subject.reference ?? '')
  if (earlier) throw refuse('Duplicate tx_ref')
}

// A wrong split is refused when the link is created, not when the payer pays.
async function checkSubaccounts(sql: Sql | Tx, { tenant }: World, body: Fields): Promise<void> {
  const wanted = optionalList(body, 'subaccounts')
  const ids = wanted.map(namedSubaccount).filter((id) => id !== undefined)
  const known = await listSubaccountsNamed(sql, tenant, ids)
  for (const fields of wanted) {
    const id = namedSubaccount(fields)
    if (id === undefined) continue
    const subaccount = known.find(({ subaccountId }) => subaccountId === id)
    if (!subaccount) throw refuse('Invalid subaccount id')
    readSplit(fields, subaccount)
  }
}

function readRedirectUrl(body: Fields): string | null {
  const text = optionalText(body, 'redirect_url')
  if (text === undefined) return null
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) throw refuse('redirect_url must be a valid URL')
  return url.href
}
