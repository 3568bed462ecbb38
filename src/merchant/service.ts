import { openApiRoute } from '../kernel/http/openapi-route.ts'
import { defineService, type Service } from '../kernel/http/service.ts'
import { approvalSchema } from './approvals/approval-record.ts'
import { getApprovalRoute } from './approvals/get-approval.ts'
import { balanceSchema } from './balances/balance.ts'
import { listBalancesRoute } from './balances/list-balances.ts'
import { accountSchema } from './business/business.ts'
import { getAccountRoute } from './business/get-account.ts'
import type { MerchantContext } from './context.ts'
import { createPaymentLinkRoute } from './payment-links/create-payment-link.ts'
import { getPaymentLinkRoute } from './payment-links/get-payment-link.ts'
import { listPaymentLinksRoute } from './payment-links/list-payment-links.ts'
import { paymentLinkSchema } from './payment-links/payment-link.ts'
import { updatePaymentLinkRoute } from './payment-links/update-payment-link.ts'
import { updatePaymentLinkItemRoute } from './payment-links/update-payment-link-item.ts'
import { cancelPaymentRoute } from './payments/cancel-payment.ts'
import { getPaymentRoute } from './payments/get-payment.ts'
import { listPaymentsRoute } from './payments/list-payments.ts'
import { paymentSchema } from './payments/payment.ts'
import { cancelPayoutRoute } from './payouts/cancel-payout.ts'
import { createPayoutRoute } from './payouts/create-payout.ts'
import { getPayoutRoute } from './payouts/get-payout.ts'
import { listPayoutsRoute } from './payouts/list-payouts.ts'
import { payoutSchema, requestedPayoutSchema } from './payouts/payout.ts'
import { createQrCodeRoute } from './qr-codes/create-qr-code.ts'
import { getQrCodeRoute } from './qr-codes/get-qr-code.ts'
import { listQrCodesRoute } from './qr-codes/list-qr-codes.ts'
import { qrCodeSchema } from './qr-codes/qr-code.ts'
import { updateQrCodeRoute } from './qr-codes/update-qr-code.ts'
import { createSplitRecipientRoute } from './recipients/create-recipient.ts'
import { listSplitRecipientsRoute } from './recipients/list-recipients.ts'
import { recipientSchema } from './recipients/recipient.ts'
import { updateSplitRecipientRoute } from './recipients/update-recipient.ts'
import { getReference } from './reference/get-reference.ts'
import { listPaymentRefundsRoute } from './refunds/list-payment-refunds.ts'
import { refundPaymentRoute } from './refunds/refund-payment.ts'
import { refundSchema } from './refunds/shown-refund.ts'
import { merchantScopes } from './scopes.ts'
import { listSettlementsRoute } from './settlements/list-settlements.ts'
import { settlementSchema } from './settlements/settlement.ts'
import { createVerificationRoute } from './verification/create-verification.ts'
import { createWebhookRoute } from './webhooks/create-webhook.ts'
import { deleteWebhookRoute } from './webhooks/delete-webhook.ts'
import { merchantWebhookContract } from './webhooks/event-contracts.ts'
import { listWebhookDeliveriesRoute } from './webhooks/list-webhook-deliveries.ts'
import { listWebhooksRoute } from './webhooks/list-webhooks.ts'
import { retryWebhookDeliveryRoute } from './webhooks/retry-webhook-delivery.ts'
import { webhookSchema } from './webhooks/webhook.ts'
import { attemptSchema } from './webhooks/webhook-attempt.ts'

export const merchantService: Service<MerchantContext> = defineService({
  name: 'merchant',
  keyPrefix: 'svc',
  scopes: merchantScopes,
  title: 'Merchant payments',
  description:
    'Accept payments, route part of a charge to a split recipient, request payouts of settled ' +
    'funds, read settlements, read the business profile and verification status, and receive ' +
    'webhook events.',
  version: '1.0.0',
  basePath: '/merchant/api/v1',
  tags: [
    { name: 'Payments', description: 'Payments and their status.' },
    { name: 'Payment links', description: 'Web pages on which payers pay.' },
    { name: 'QR codes', description: 'Codes that payers scan to pay.' },
    { name: 'Split recipients', description: 'Third parties that receive a share of charges.' },
    { name: 'Settlements', description: 'Payments whose money the provider has made available.' },
    { name: 'Payouts', description: 'Transfers of settled money to the merchant.' },
    { name: 'Account', description: 'The business profile and its verification.' },
    { name: 'Webhooks', description: 'Endpoints that receive events, and their delivery log.' },
    { name: 'Reference', description: 'Status values, event types and the API description.' },
  ],
  webhooks: merchantWebhookContract,
  resources: {
    Payment: paymentSchema,
    Refund: refundSchema,
    PaymentLink: paymentLinkSchema,
    QrCode: qrCodeSchema,
    SplitRecipient: recipientSchema,
    Payout: payoutSchema,
    Balance: balanceSchema,
    Approval: approvalSchema,
    RequestedPayout: requestedPayoutSchema,
    Settlement: settlementSchema,
    Account: accountSchema,
    WebhookEndpoint: webhookSchema,
    WebhookDelivery: attemptSchema,
  },
  routes: [
    listPaymentsRoute,
    getPaymentRoute,
    cancelPaymentRoute,
    refundPaymentRoute,
    listPaymentRefundsRoute,
    listPaymentLinksRoute,
    createPaymentLinkRoute,
    getPaymentLinkRoute,
    updatePaymentLinkRoute,
    updatePaymentLinkItemRoute,
    listQrCodesRoute,
    createQrCodeRoute,
    getQrCodeRoute,
    updateQrCodeRoute,
    listSplitRecipientsRoute,
    createSplitRecipientRoute,
    updateSplitRecipientRoute,
    listPayoutsRoute,
    createPayoutRoute,
    getPayoutRoute,
    cancelPayoutRoute,
    listBalancesRoute,
    getApprovalRoute,
    listSettlementsRoute,
    getAccountRoute,
    createVerificationRoute,
    listWebhooksRoute,
    createWebhookRoute,
    deleteWebhookRoute,
    listWebhookDeliveriesRoute,
    retryWebhookDeliveryRoute,
    getReference,
    openApiRoute(() => merchantService, 'Reference'),
  ],
})
