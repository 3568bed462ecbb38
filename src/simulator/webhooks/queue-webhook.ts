// Queues a webhook, with the misbehaviour of the rules: twice, later, never, after the next one, or
// with the opposite of what verify would say.
import { addMilliseconds } from '../../kernel/basics/clock.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { Decimal } from '../../kernel/money/decimal.ts'
import { writeJson } from '../../kernel/money/exact-number.ts'
import type { SimulatorContext } from '../context.ts'
import { consumeRules } from '../rules/consume-rules.ts'
import { findEffect, type WebhookEvent } from '../rules/rule.ts'
import type { World } from '../world.ts'
import { insertWebhook, updateOvertaken } from './webhook-store.ts'

export type WebhookToSend = {
  readonly event: WebhookEvent
  readonly reference: string
  readonly amount: Decimal
  readonly body: unknown
  // The same with the other outcome.
  readonly contradiction: unknown
}

export async function queueWebhook(
  tx: Tx,
  { clock }: SimulatorContext,
  world: World,
  webhook: WebhookToSend,
): Promise<void> {
  const { event, reference, amount } = webhook
  const effects = await consumeRules(tx, world, 'webhook', [event, 'webhook'], {
    amount,
    reference,
  })
  const now = clock.now()
  const delay = findEffect(effects, 'delay')
  const waitsForNext = findEffect(effects, 'reorder') !== undefined
  const isHeld = waitsForNext || findEffect(effects, 'withhold') !== undefined
  const isContradiction = findEffect(effects, 'contradict') !== undefined
  const duplicate = findEffect(effects, 'duplicate')
  const copies = duplicate ? (duplicate.parameters.copies ?? 1) : 0
  const row = {
    event,
    reference,
    body: writeJson(isContradiction ? webhook.contradiction : webhook.body),
    waitsForNext,
    dueAt: isHeld ? null : addMilliseconds(now, delay?.parameters.ms ?? 0),
    createdAt: now,
  }
  for (let copy = 0; copy <= copies; copy += 1) {
    const id = await insertWebhook(tx, world.tenant, row)
    if (!isHeld) await updateOvertaken(tx, world.tenant, id, now)
  }
}
