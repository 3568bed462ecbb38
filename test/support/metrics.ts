// Reads the metrics. On a busy machine, late values are left out of /metrics, which looks like a
// mistake, so it is read again until all are there.
import type { World } from './world.ts'

const always = [
  'tillbook_jobs_due',
  'tillbook_oldest_due_webhook_seconds',
  'tillbook_oldest_queued_mail_seconds',
  'tillbook_webhooks_due',
  'tillbook_webhooks_held',
]

export async function metricsText({ call }: World, key: string): Promise<string> {
  for (;;) {
    const { status, text } = await call('GET', '/metrics', { key })
    if (status !== 200) throw new Error(`/metrics answered ${status}`)
    if (always.every((name) => text.includes(`\n${name} `))) return text
  }
}
