// Assigns an unassigned payment to its invoice: it leaves the account for payments to assign at its
// book value and pays the invoice; the rest becomes the contact's credit. A payment that people
// removed from the books is posted again.
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { Fault, invalidField, notFound } from '../../kernel/basics/fault.ts'
import { databaseInside, type Tx } from '../../kernel/db/database.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { findSystemAccount } from '../accounts/account-store.ts'
import { type BooksContext, defineOperation } from '../context.ts'
import { firstOpenDay } from '../journal/lock-dates.ts'
import { type Payment, rateBetween } from '../payments/payment.ts'
import { fitting } from '../payments/post-link-payment.ts'
import { postPayment } from '../payments/post-payment.ts'
import { type Money, requireMoney } from '../payments/require-money.ts'
import { lockItems } from '../payments/settle-items.ts'
import { today } from '../settings/organisation.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { findUnassignedPayment } from './find-unassigned-payment.ts'
import { grossMinor, type Movement } from './movement.ts'
import type { HeldStep } from './movement-step.ts'
import { findRefundedCount, updateMovement } from './movement-store.ts'
import { postShare } from './post-held.ts'
import { findBookedCollection, requireReportedPayment } from './require-reported-payment.ts'
import type { ServiceSettings } from './service-settings.ts'
import { lockServiceSettings } from './service-settings-store.ts'

export const assignServicePayment = defineOperation({
  name: 'assign-service-payment',
  summary: 'Assign an unassigned payment to its invoice',
  kind: 'write',
  input: z.strictObject({ paymentId: uuid(), documentId: uuid() }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { paymentId, documentId }): Promise<Payment> {
    return context.database.transaction(async (tx) => {
      // Nothing of it is posted meanwhile.
      const settings = await lockServiceSettings(tx, actor)
      const movement = await requireUnassigned(tx, actor, paymentId)
      const set = assertDefined(settings, 'a movement without settings')
      const step = await stepOf(tx, context, actor, set, movement)
      const payment = await assign(step, documentId)
      await updateMovement(tx, actor, movement.id, { bookedPaymentId: payment.id })
      await recordAct(tx, context, actor, {
        action: 'service_money.assign',
        objectKind: 'payment',
        objectId: payment.id,
        detail: { external_id: paymentId, document_id: documentId },
      })
      return payment
    })
  },
})

async function requireUnassigned(tx: Tx, actor: Actor, paymentId: string): Promise<Movement> {
  const movement = await requireReportedPayment(tx, actor, paymentId)
  if (!movement) throw notFound('payment')
  if (movement.status === 'waiting') throw new Fault('conflict', 'It is not posted yet.')
  if (await findBookedCollection(tx, actor, movement)) {
    throw new Fault('conflict', 'It is already assigned. Remove that payment first.')
  }
  if ((await findRefundedCount(tx, actor, paymentId)) > 0) {
    const message = 'Part of it was refunded. Record the rest as a payment.'
    throw new Fault('conflict', message)
  }
  return movement
}

async function stepOf(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  settings: ServiceSettings,
  movement: Movement,
): Promise<HeldStep> {
  const organisation = await findOrganisation(tx, actor)
  return {
    ...{ tx, actor, settings, organisation, movement },
    context: { ...context, database: databaseInside(tx) },
    day: today(organisation, movement.happenedAt),
  }
}

async function assign(step: HeldStep, documentId: string): Promise<Payment> {
  const { tx, context, actor, movement } = step
  const { currency, objectId } = movement
  const locked = await lockItems(tx, actor, [documentId])
  const document = locked.documents.get(documentId)
  if (document?.kind !== 'invoice') throw invalidField('documentId', 'No such invoice.')
  const amountMinor = grossMinor(movement)
  const allocations = fitting(locked, documentId, currency, amountMinor)
  if (allocations.length === 0) {
    const message = `${document.number ?? 'The draft'} has nothing open in ${currency}.`
    throw new Fault('conflict', `${message} Choose another invoice.`)
  }
  const source = (await fromUnassigned(step)) ?? (await fromClearing(step))
  const payment = await postPayment(tx, context, actor, {
    ...source,
    direction: 'in',
    method: 'payment_link',
    control: 'receivable',
    ...{ contactId: document.contactId, currency, amountMinor },
    reference: document.number,
    externalId: objectId,
    allocations,
  })
  await postShare(step)
  return payment
}

type Source = Money & Pick<Payment, 'date' | 'feeMinor'>

// At its book value, whatever it is worth today.
async function fromUnassigned(step: HeldStep): Promise<Source | undefined> {
  const { tx, actor, organisation, movement } = step
  const unassigned = await findUnassignedPayment(tx, actor, movement.objectId)
  if (!unassigned) return undefined
  const { currency } = movement
  const { baseCurrency } = organisation
  const date = firstOpenDay(organisation, unassigned.date)
  const { accountId } = unassigned.line
  const amountMinor = grossMinor(movement)
  const baseMinor = -unassigned.line.baseMinor
  const rate = rateBetween(amountMinor, currency, baseMinor, baseCurrency)
  // Only an account for money can be used.
  const money = await requireMoney(tx, actor, { accountId, date, currency, amountMinor, rate })
  const own = currency !== baseCurrency && { baseMinor, fxRate: rate }
  return { ...money, ...own, date, feeMinor: 0n }
}

// People have removed it from the books; the service still has the money.
async function fromClearing({ tx, actor, organisation, movement, day }: HeldStep): Promise<Source> {
  const { currency, feeMinor } = movement
  const date = firstOpenDay(organisation, day)
  const { id: accountId } = await findSystemAccount(tx, actor, 'clearing')
  const amountMinor = grossMinor(movement)
  const money = await requireMoney(tx, actor, { accountId, date, currency, amountMinor })
  return { ...money, date, feeMinor }
}
