// What an operator can watch of the agreement with the payment provider.
import { Counter, Gauge, type Registry } from 'prom-client'
import { withinTime } from '../../kernel/http/health.ts'
import type { ServiceContext } from '../../kernel/http/service.ts'
import { listOpenBreakCounts } from './break-store.ts'

export type BreakMetrics = {
  readonly open: Gauge<'cause'>
  readonly oldestSeconds: Gauge<'cause'>
  readonly reconciliationsFailed: Counter<'what'>
}

export function createBreakMetrics(registers: Registry[]): BreakMetrics {
  return {
    open: new Gauge({
      name: 'tillbook_breaks_open',
      help: 'Live breaks that nobody has resolved, by cause.',
      labelNames: ['cause'],
      registers,
    }),
    oldestSeconds: new Gauge({
      name: 'tillbook_oldest_open_break_seconds',
      help: 'How long the oldest open live break has been waiting, by cause.',
      labelNames: ['cause'],
      registers,
    }),
    reconciliationsFailed: new Counter({
      name: 'tillbook_reconciliations_failed_total',
      help: 'Comparisons with the payment provider that could not be made, by what was compared.',
      labelNames: ['what'],
      registers,
    }),
  }
}

export async function refreshBreakMetrics(
  { database, clock, log }: ServiceContext,
  { open, oldestSeconds }: BreakMetrics,
): Promise<void> {
  const answer = await withinTime(listOpenBreakCounts(database.sql), log)
  open.reset()
  oldestSeconds.reset()
  const nowMs = clock.now().getTime()
  for (const { cause, count, oldestAt } of answer?.value ?? []) {
    open.set({ cause }, count)
    oldestSeconds.set({ cause }, (nowMs - oldestAt.getTime()) / 1000)
  }
}
