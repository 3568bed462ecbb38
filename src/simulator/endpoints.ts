// All calls of the simulated provider, under /v3.
import { listBanks } from './banks/banks.ts'
import { resolveAccount } from './banks/resolve-account.ts'
import { listAllChargebacks } from './chargebacks/look-up-chargebacks.ts'
import { chargeSavedCard } from './charges/charge-saved-card.ts'
import { createPaymentLink } from './charges/create-payment-link.ts'
import {
  getChargeEvents,
  listAllCharges,
  quoteChargeFee,
  resendChargeWebhook,
  verifyCharge,
  verifyChargeByReference,
} from './charges/look-up-charges.ts'
import type { Endpoint } from './endpoint.ts'
import { identityEndpoints } from './identity/identity-endpoints.ts'
import { createRefund } from './refunds/create-refund.ts'
import { getRefund, listAllRefunds } from './refunds/look-up-refunds.ts'
import { getSettlement, listAllSettlements } from './settlements/look-up-settlements.ts'
import {
  changeSubaccount,
  createSubaccount,
  deleteSubaccount,
  getSubaccount,
  listAllSubaccounts,
} from './subaccounts/manage-subaccounts.ts'
import { createTransfer } from './transfers/create-transfer.ts'
import { getTransfer, listAllTransfers, quoteTransferFee } from './transfers/look-up-transfers.ts'
import { getBalance, getBalances } from './wallets/get-balances.ts'

export const endpoints: readonly Endpoint[] = [
  createPaymentLink,
  verifyCharge,
  verifyChargeByReference,
  listAllCharges,
  quoteChargeFee,
  getChargeEvents,
  resendChargeWebhook,
  chargeSavedCard,
  createRefund,
  getRefund,
  listAllRefunds,
  listAllChargebacks,
  createTransfer,
  getTransfer,
  listAllTransfers,
  quoteTransferFee,
  createSubaccount,
  listAllSubaccounts,
  getSubaccount,
  changeSubaccount,
  deleteSubaccount,
  resolveAccount,
  listBanks,
  getBalances,
  getBalance,
  listAllSettlements,
  getSettlement,
]

// The operations that rules can name, including the calls of the simulated verifier, which has its
// own prefix.
export const operations: readonly string[] = [...endpoints, ...identityEndpoints].map(
  ({ method, path }) => `${method} ${path}`,
)
