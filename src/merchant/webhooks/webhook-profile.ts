// How the merchant interface sends its events, exactly as its Events section says. Everything
// beyond that is in additional headers. The documented signature has one value: during a rotation
// it is the old secret's, which every receiver knows, and the new one's is in an additional header.
import { signatureOf, type WebhookProfile } from '../../kernel/webhooks/profile.ts'

const minute = 60

export const merchantWebhooks: WebhookProfile = {
  service: 'merchant',
  timeoutMs: 8000,
  retryDelaysSeconds: [1 * minute, 5 * minute, 30 * minute, 120 * minute],
  jitter: 0,
  failuresInRowMax: null,
  eventTypes: null,
  testEventType: 'test.ping',
  signatureHeader: 'X-Service-Signature',
  request(message) {
    const { eventType, eventCreatedAt, data, sentAtSeconds, secret, oldSecret } = message
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
        'X-Service-Signature': signatureOf(oldSecret ?? secret, sentAtSeconds, body),
        ...(oldSecret !== undefined && {
          'X-Service-Signature-New': signatureOf(secret, sentAtSeconds, body),
        }),
        'X-Service-Event-Id': message.eventId,
        'X-Service-Delivery-Id': message.deliveryId,
        'X-Service-Attempt': String(message.attemptNumber),
      },
    }
  },
}
