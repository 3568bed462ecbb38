// Metrics about discrepancies with the payment provider.
import { Counter, Gauge, type Registry } from 'prom-client'
import { withinTime } from '../../kernel/http/health.ts'
import type { ServiceContext } from '../../kernel/operations/service-context.ts'
import type { Compared } from '../context.ts'
import { listOpenDiscrepancyCounts } from './discrepancy-store.ts'

const compared: readonly Compared[] = ['charges', 'splits', 'refunds', 'chargebacks']

export type DiscrepancyMetrics = {
  readonly open: Gauge<'cause'>
  readonly oldestSeconds: Gauge<'cause'>
  readonly reconciliationsFailed: Counter<'what'>
}

export function createDiscrepancyMetrics(registers: Registry[]): DiscrepancyMetrics {
  const metrics: DiscrepancyMetrics = {
    open: new Gauge({
      name: 'tillbook_discrepancies_open',
      help: 'Open live discrepancies, by cause.',
      labelNames: ['cause'],
      registers,
    }),
    oldestSeconds: new Gauge({
      name: 'tillbook_oldest_open_discrepancy_seconds',
      help: 'Age of the oldest open live discrepancy, by cause.',
      labelNames: ['cause'],
      registers,
    }),
    reconciliationsFailed: new Counter({
      name: 'tillbook_reconciliations_failed_total',
      help: 'Comparisons with the payment provider that failed, by what was compared.',
      labelNames: ['what'],
      registers,
    }),
  }
  // Exists from the start, because Prometheus sees no increase when a series appears.
  for (const what of compared) metrics.reconciliationsFailed.inc({ what }, 0)
  return metrics
}

export async function refreshDiscrepancyMetrics(
  { database, clock, log }: ServiceContext,
  { open, oldestSeconds }: DiscrepancyMetrics,
): Promise<void> {
  const answer = await withinTime(listOpenDiscrepancyCounts(database.sql), log)
  open.reset()
  oldestSeconds.reset()
  const nowMs = clock.now().getTime()
  for (const { cause, count, oldestAt } of answer?.value ?? []) {
    open.set({ cause }, count)
    oldestSeconds.set({ cause }, (nowMs - oldestAt.getTime()) / 1000)
  }
}
