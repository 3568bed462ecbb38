// How the accounting interface sends its events, exactly as its Events section says. The delays
// between attempts are our choice: they grow, and cover a weekend night. The documented signature
// has one value: during a rotation it is the old secret's, which every receiver knows, and the new
// one's is in an additional header.
import { signatureOf, type WebhookProfile } from '../../kernel/webhooks/profile.ts'
import { notifySwitchedOff } from './switched-off.ts'

const minute = 60
const hour = 60 * minute

// The event types that an endpoint can choose. A test event is sent to any endpoint on request.
const bookEventTypes = [
  ...['invoice.created', 'invoice.issued', 'invoice.paid', 'invoice.voided'],
  ...['quote.accepted', 'quote.declined'],
  ...['bill.created', 'bill.approved', 'bill.paid'],
  ...['contact.created', 'lead.won'],
]

export const booksWebhooks: WebhookProfile = {
  service: 'books',
  timeoutMs: 5000,
  retryDelaysSeconds: [
    ...[5, 5 * minute, 30 * minute, 2 * hour, 5 * hour],
    ...[10 * hour, 20 * hour],
  ],
  jitter: 0.1,
  failuresInRowMax: 20,
  onSwitchedOff: notifySwitchedOff,
  eventTypes: bookEventTypes,
  testEventType: 'test.ping',
  signatureHeader: 'X-Accounting-Signature',
  request(message) {
    const { eventId, eventType, eventCreatedAt, businessId, data, sentAtSeconds } = message
    const { secret, oldSecret } = message
    const head = { id: eventId, type: eventType, created_at: eventCreatedAt, org_id: businessId }
    const body = `${JSON.stringify(head).slice(0, -1)},"data":${data}}`
    const signedWith = (key: string) =>
      `t=${sentAtSeconds},v1=${signatureOf(key, sentAtSeconds, body)}`
    return {
      body,
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'Accounting-Webhooks/1',
        'X-Accounting-Event': eventType,
        'X-Accounting-Delivery': message.deliveryId,
        'X-Accounting-Signature': signedWith(oldSecret ?? secret),
        ...(oldSecret !== undefined && { 'X-Accounting-Signature-New': signedWith(secret) }),
        'X-Accounting-Event-Id': eventId,
        'X-Accounting-Attempt': String(message.attemptNumber),
      },
    }
  },
}
