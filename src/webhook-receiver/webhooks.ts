// What receivers import as `tillbook/webhooks`. The built folder is a separate package that needs
// only Node's crypto and nothing else of Tillbook.
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
