// Controls what happens when: steps that wait, unplanned events, due work, and webhooks.
import { Fault } from '../../kernel/basics/fault.ts'
import type { Sql } from '../../kernel/db/database.ts'
import { listChargesByReference } from '../charges/charge-store.ts'
import type { SimulatorContext } from '../context.ts'
import { type EffectKind, listEffects } from '../effects/effect-store.ts'
import type { Endpoint } from '../endpoint.ts'
import { type Fields, idOf, optionalText, refuse, requiredText } from '../fields.ts'
import { refundStatuses } from '../refunds/refund.ts'
import { listRefunds } from '../refunds/refund-store.ts'
import { chargeSteps } from '../steps/run-steps.ts'
import { insertStep, listSteps, type StepSubject, updateStepDue } from '../steps/step-store.ts'
import { transferStatuses } from '../transfers/transfer.ts'
import { listTransfers } from '../transfers/transfer-store.ts'
import { listWebhooks, updateWebhookDue } from '../webhooks/webhook-store.ts'
import type { World } from '../world.ts'

// Runs the next planned step now, whether it waits for its time or for this call.
export const proceed: Endpoint = {
  method: 'POST',
  path: '/proceed',
  async handle(context, world, { body }) {
    const subject = await subjectOf(context, world, body)
    const { sql } = context.database
    const steps = await listSteps(sql, world.tenant, subject.kind, subject.id)
    const next = steps.find(({ doneAt }) => doneAt === null)
    if (!next) throw new Fault('not_found', 'Nothing is planned')
    await updateStepDue(sql, world.tenant, next.id, context.clock.now())
    await context.background.drain()
    return { status: 200, body: { done: next.step } }
  },
}

// Causes something unplanned: a reversal, a chargeback, a late failure.
export const act: Endpoint = {
  method: 'POST',
  path: '/act',
  async handle(context, world, { body }) {
    const subject = await subjectOf(context, world, body)
    const step = requiredText(body, 'step')
    const known: readonly string[] = stepsOf[subject.kind]
    if (!known.includes(step)) throw refuse(`step must be one of ${known.join(', ')}`)
    const now = context.clock.now()
    await context.database.transaction((tx) =>
      insertStep(tx, world.tenant, {
        subject: subject.kind,
        subjectId: subject.id,
        step,
        note: optionalText(body, 'reason') ?? null,
        dueAt: now,
        createdAt: now,
      }),
    )
    await context.background.drain()
    return { status: 200, body: { done: step } }
  },
}

const stepsOf: Record<StepSubject, readonly string[]> = {
  charge: chargeSteps,
  refund: refundStatuses,
  transfer: transferStatuses,
}

// When this returns, everything due is done, including webhooks.
export const drain: Endpoint = {
  method: 'POST',
  path: '/drain',
  async handle({ background }) {
    await background.drain()
    return { status: 200, body: { drained: true } }
  },
}

const kinds: readonly EffectKind[] = [
  'charge',
  'charge_reversal',
  'chargeback',
  'chargeback_return',
  'refund',
  'refund_return',
  'transfer',
  'transfer_return',
  'subaccount',
]

// Lists how often money really moved.
export const showEffects: Endpoint = {
  method: 'GET',
  path: '/effects',
  async handle({ database }, { tenant }, { query }) {
    const effects = await listEffects(database.sql, tenant, optionalText(query, 'reference'))
    const count = (wanted: EffectKind) => effects.filter(({ kind }) => kind === wanted).length
    return {
      status: 200,
      body: {
        counts: Object.fromEntries(kinds.map((kind) => [kind, count(kind)])),
        effects: effects.map(({ kind, reference, subjectId, amount, currency, createdAt }) => ({
          kind,
          reference,
          subject_id: subjectId,
          amount,
          currency,
          created_at: createdAt.toISOString(),
        })),
      },
    }
  },
}

export const showWebhooks: Endpoint = {
  method: 'GET',
  path: '/webhooks',
  async handle({ database }, { tenant }, { query }) {
    const rows = await listWebhooks(database.sql, tenant, optionalText(query, 'reference'))
    const webhooks = rows.map((row) => ({
      id: row.id,
      event: row.event,
      reference: row.reference,
      body: row.body,
      due_at: row.dueAt?.toISOString() ?? null,
      sent_at: row.sentAt?.toISOString() ?? null,
      status_code: row.statusCode,
      error: row.error,
    }))
    return { status: 200, body: { webhooks } }
  },
}

// Sends a withheld webhook, or sends one again.
export const sendWebhook: Endpoint = {
  method: 'POST',
  path: '/webhooks/:id/send',
  async handle({ database, clock, background }, { tenant }, { params }) {
    const id = idOf(params.id) ?? 0n
    if (!(await updateWebhookDue(database.sql, tenant, id, clock.now()))) {
      throw new Fault('not_found', 'There is no such webhook')
    }
    await background.drain()
    return { status: 200, body: { sent: id } }
  },
}

type Named = { readonly kind: StepSubject; readonly id: bigint }

// By the provider's id, or by the merchant's reference, which finds the newest refund of the
// charge.
async function subjectOf(
  { database }: SimulatorContext,
  world: World,
  body: Fields,
): Promise<Named> {
  const kind = requiredText(body, 'subject')
  if (kind !== 'charge' && kind !== 'refund' && kind !== 'transfer') {
    throw refuse('subject must be charge, refund or transfer')
  }
  const given = idOf(optionalText(body, 'id'))
  const id = given ?? (await findByReference(database.sql, world, kind, body))
  if (id === undefined) throw new Fault('not_found', `There is no such ${kind}`)
  return { kind, id }
}

async function findByReference(
  sql: Sql,
  { tenant }: World,
  kind: StepSubject,
  body: Fields,
): Promise<bigint | undefined> {
  const reference = requiredText(body, 'reference')
  const first = { limit: 1, offset: 0 }
  if (kind === 'transfer') {
    const filter = { reference, status: undefined }
    return (await listTransfers(sql, tenant, filter, first)).transfers[0]?.id
  }
  const [charge] = await listChargesByReference(sql, tenant, reference)
  if (kind === 'charge' || !charge) return charge?.id
  return (await listRefunds(sql, tenant, { chargeId: charge.id }, first)).refunds[0]?.id
}
