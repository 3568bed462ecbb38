// How the merchant interface sends its events, to the letter of its Events section. What goes
// beyond it is in headers of its own.
import { createHmac } from 'node:crypto'
import type { WebhookProfile } from '../../kernel/webhooks/profile.ts'

const minute = 60

export const merchantWebhooks: WebhookProfile = {
  service: 'merchant',
  timeoutMs: 8000,
  retryDelaysSeconds: [1 * minute, 5 * minute, 30 * minute, 120 * minute],
  jitter: 0,
  failuresInRowMax: null,
  request(message) {
    const { eventType, eventCreatedAt, data, sentAtSeconds, secret } = message
    const type = JSON.stringify(eventType)
    const createdAt = JSON.stringify(eventCreatedAt.toISOString())
    const body = `{"type":${type},"created_at":${createdAt},"data":${data}}`
    return {
      body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Tillbook-Webhooks/1',
        'X-Service-Event': eventType,
        'X-Service-Timestamp': String(sentAtSeconds),
        'X-Service-Signature': createHmac('sha256', secret)
          .update(`${sentAtSeconds}.${body}`)
          .digest('hex'),
        'X-Service-Event-Id': message.eventId,
        'X-Service-Delivery-Id': message.deliveryId,
        'X-Service-Attempt': String(message.attemptNumber),
      },
    }
  },
}
