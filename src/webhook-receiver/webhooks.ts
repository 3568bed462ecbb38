// What receivers import as `tillbook/webhooks`. It stands alone: the folder is a package of its own
// once it is built, needs nothing but Node's crypto, and nothing else of Tillbook comes along.
export type {
  BooksEvent,
  BooksEvents,
  DeliveryFacts,
  DocumentData,
  MerchantEvent,
  MerchantEvents,
  PaymentSource,
  QuoteData,
  WebhookEvent,
} from './event-types.ts'
export { receiveWebhook, type WebhookRequest } from './receive-webhook.ts'
export { type SignedWebhook, signWebhook, type TestEvent } from './sign-webhook.ts'
export type { WebhookHeaders } from './signature.ts'
export { type RawBody, type VerifyOptions, verifyWebhook } from './verify-webhook.ts'
export { WebhookError, type WebhookErrorCode } from './webhook-error.ts'
