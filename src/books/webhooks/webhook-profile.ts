// How the accounting interface sends its events, to the letter of its Events section. The gaps
// between attempts are ours: they grow, and reach over a weekend's night.
import { createHmac } from 'node:crypto'
import type { WebhookProfile } from '../../kernel/webhooks/profile.ts'

const minute = 60
const hour = 60 * minute

export const booksWebhooks: WebhookProfile = {
  service: 'books',
  timeoutMs: 5000,
  retryDelaysSeconds: [
    ...[5, 5 * minute, 30 * minute, 2 * hour, 5 * hour],
    ...[10 * hour, 20 * hour],
  ],
  jitter: 0.1,
  failuresInRowMax: 20,
  request(message) {
    const { eventId, eventType, eventCreatedAt, businessId, data, sentAtSeconds, secret } = message
    const head = { id: eventId, type: eventType, created_at: eventCreatedAt, org_id: businessId }
    const body = `${JSON.stringify(head).slice(0, -1)},"data":${data}}`
    const signature = createHmac('sha256', secret).update(`${sentAtSeconds}.${body}`).digest('hex')
    return {
      body,
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'Accounting-Webhooks/1',
        'X-Accounting-Event': eventType,
        'X-Accounting-Delivery': message.deliveryId,
        'X-Accounting-Signature': `t=${sentAtSeconds},v1=${signature}`,
        'X-Accounting-Attempt': String(message.attemptNumber),
      },
    }
  },
}
