// POST /tokenized-charges: charges a saved card again, without the payer. The token belongs to an
// e-mail address, and both must match.
import { assertDefined } from '../../kernel/basics/assert.ts'
import { writeJson } from '../../kernel/money/exact-number.ts'
import type { Endpoint } from '../endpoint.ts'
import { success } from '../envelope.ts'
import {
  currencyOf,
  optionalList,
  optionalObject,
  refuse,
  requiredAmount,
  requiredText,
} from '../fields.ts'
import { consumeRules } from '../rules/consume-rules.ts'
import { findCard } from './cards.ts'
import { presentCharge } from './charge.ts'
import { findChargeByToken, insertCharge } from './charge-store.ts'
import { decideCharge } from './finish-charge.ts'
import { newCharge } from './new-charge.ts'
import { noteEvent } from './report-charge.ts'

export const chargeSavedCard: Endpoint = {
  method: 'POST',
  path: '/tokenized-charges',
  async handle(context, world, { body }) {
    const token = requiredText(body, 'token')
    const email = requiredText(body, 'email')
    const order = {
      txRef: requiredText(body, 'tx_ref', 100),
      amount: requiredAmount(body),
      currency: currencyOf(body),
      meta: writeJson(optionalObject(body, 'meta')),
      subaccounts: writeJson(optionalList(body, 'subaccounts')),
    }
    const charge = await context.database.transaction(async (tx) => {
      const first = await findChargeByToken(tx, world.tenant, token)
      if (first?.customerEmail !== email) throw refuse('Wrong token or email passed')
      const { customerEmail, customerName, customerPhone } = first
      const subject = { amount: order.amount, reference: order.txRef }
      const effects = await consumeRules(tx, world, 'charge', ['charge'], subject)
      const card = assertDefined(findCard(first.cardNumber), 'a saved card that is no test card')
      const customer = { customerEmail, customerName, customerPhone }
      const created = { ...newCharge(context, { ...order, ...customer }, card, effects), token }
      const id = await insertCharge(tx, world.tenant, created)
      if (id === undefined) throw refuse('Duplicate transaction reference')
      const begun = { ...created, id, settlementId: null, settledAt: null }
      await noteEvent(tx, context, world, begun, 'Saved card charged', 'charge')
      return decideCharge(tx, context, world, begun, undefined)
    })
    return success('Charge successful', presentCharge(charge, world.accountId))
  },
}
