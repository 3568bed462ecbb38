// Everything that a key, a person or the operator can do in this service. The table of roles, the
// documentation and the pages are computed from it.
import { getAccount } from './business/get-account.ts'
import { createPaymentLink } from './payment-links/create-payment-link.ts'
import { cancelPayment } from './payments/cancel-payment.ts'
import { getPayment } from './payments/get-payment.ts'
import { listPayments } from './payments/list-payments.ts'
import { cancelPayout } from './payouts/cancel-payout.ts'
import { createPayout } from './payouts/create-payout.ts'
import { listPayouts } from './payouts/list-payouts.ts'
import { createQrCode } from './qr-codes/create-qr-code.ts'
import { createRecipient } from './recipients/create-recipient.ts'
import { listRecipients } from './recipients/list-recipients.ts'
import { updateRecipient } from './recipients/update-recipient.ts'
import { refundPayment } from './refunds/refund-payment.ts'

export const merchantOperations = [
  listPayments,
  getPayment,
  cancelPayment,
  refundPayment,
  createPaymentLink,
  createQrCode,
  listRecipients,
  createRecipient,
  updateRecipient,
  listPayouts,
  createPayout,
  cancelPayout,
  getAccount,
]
