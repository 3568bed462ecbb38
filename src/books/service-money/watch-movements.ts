// Metrics of automatic bookkeeping.
import { Gauge, type Registry } from 'prom-client'
import { withinTime } from '../../kernel/http/health.ts'
import type { ServiceContext } from '../../kernel/operations/service-context.ts'
import { findWaitingTotals } from './movement-store.ts'

export type MovementMetrics = {
  readonly waiting: Gauge
  readonly oldestSeconds: Gauge
}

export function createMovementMetrics(registers: Registry[]): MovementMetrics {
  return {
    waiting: new Gauge({
      name: 'tillbook_service_movements_waiting',
      help: 'Live movements of the merchant service that the books have not posted.',
      registers,
    }),
    oldestSeconds: new Gauge({
      name: 'tillbook_oldest_waiting_movement_seconds',
      help: 'Age of the oldest of them, in seconds.',
      registers,
    }),
  }
}

export async function refreshMovementMetrics(
  { database, clock, log }: ServiceContext,
  { waiting, oldestSeconds }: MovementMetrics,
): Promise<void> {
  const answer = await withinTime(findWaitingTotals(database.sql), log)
  if (!answer) {
    for (const gauge of [waiting, oldestSeconds]) gauge.remove()
    return
  }
  const { count, oldestAt } = answer.value
  waiting.set(count)
  oldestSeconds.set(oldestAt ? (clock.now().getTime() - oldestAt.getTime()) / 1000 : 0)
}
