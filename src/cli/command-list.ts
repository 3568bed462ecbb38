// All commands of the CLI, in the order in which help lists them.
import {
  exportBooks,
  lockBooks,
  setBooks,
  setNumbers,
  showBooks,
  verifyBooks,
} from './commands/books/books-commands.ts'
import { doInBooks, showBooksOperations } from './commands/books/books-operation-commands.ts'
import { pdfCommand } from './commands/books/document-commands.ts'
import { importBooks } from './commands/books/import-commands.ts'
import {
  approveCommand,
  rejectCommand,
  showApprovals,
  withdrawCommand,
} from './commands/merchant/approval-commands.ts'
import {
  explainBalance,
  returnFromWallet,
  showBalances,
} from './commands/merchant/balance-commands.ts'
import {
  resolveDiscrepancyCommand,
  showDiscrepancies,
} from './commands/merchant/discrepancy-commands.ts'
import { setFee, showFees } from './commands/merchant/fee-commands.ts'
import { showOutcomes } from './commands/merchant/outcome-commands.ts'
import { showPaymentTimeline } from './commands/merchant/payment-commands.ts'
import { decideUnclearRefund } from './commands/merchant/refund-commands.ts'
import { setPayoutDestination } from './commands/merchant/settlement-account-commands.ts'
import {
  createNewPlan,
  createNewSubscription,
  endSubscription,
  showPlans,
  showSubscriptions,
} from './commands/merchant/subscription-commands.ts'
import { setApprovalThreshold, showThresholds } from './commands/merchant/threshold-commands.ts'
import { verifyBusiness } from './commands/merchant/verification-commands.ts'
import {
  createNewBusiness,
  showBusinesses,
  showSetupCode,
} from './commands/operator/business-commands.ts'
import { distributeDatabase } from './commands/operator/distribute-command.ts'
import { retryMail, showMail, showMails } from './commands/operator/mail-commands.ts'
import {
  makeDemo,
  resealSecretsCommand,
  runMigrations,
  verify,
} from './commands/operator/operator-commands.ts'
import { beginPause, endPause, showPauses } from './commands/operator/pause-commands.ts'
import { createKey, listKeys, revokeKey, rotateKey } from './commands/people/key-commands.ts'
import {
  changePersonRole,
  endPersonSessions,
  listPeople,
  removePerson,
  resetPersonFactor,
  resetPersonPassword,
} from './commands/people/member-commands.ts'
import { addPerson } from './commands/people/people-commands.ts'
import { showRoles } from './commands/people/role-commands.ts'
import {
  createWebhookCommand,
  deleteWebhookCommand,
  pingWebhook,
  promoteWebhookSecret,
  rotateWebhookSecret,
  showWebhooks,
  switchOnWebhook,
  updateWebhookCommand,
} from './commands/webhooks/webhook-commands.ts'
import {
  redriveWebhooks,
  replayWebhooks,
  retryWebhook,
  showDeliveries,
} from './commands/webhooks/webhook-delivery-commands.ts'
import type { Command } from './core/command.ts'
import { listen } from './listen/listen-command.ts'
import { trigger } from './trigger/trigger-command.ts'

export const commands: readonly Command[] = [
  showBusinesses,
  createNewBusiness,
  showSetupCode,
  verifyBusiness,
  addPerson,
  listPeople,
  changePersonRole,
  removePerson,
  resetPersonPassword,
  resetPersonFactor,
  endPersonSessions,
  showRoles,
  createKey,
  listKeys,
  rotateKey,
  revokeKey,
  showApprovals,
  approveCommand,
  rejectCommand,
  withdrawCommand,
  showThresholds,
  setApprovalThreshold,
  showDiscrepancies,
  resolveDiscrepancyCommand,
  showPaymentTimeline,
  decideUnclearRefund,
  showOutcomes,
  showFees,
  setFee,
  showBalances,
  explainBalance,
  returnFromWallet,
  setPayoutDestination,
  showPlans,
  createNewPlan,
  showSubscriptions,
  createNewSubscription,
  endSubscription,
  showBooks,
  setBooks,
  lockBooks,
  setNumbers,
  exportBooks,
  verifyBooks,
  pdfCommand,
  beginPause,
  showPauses,
  endPause,
  showWebhooks,
  createWebhookCommand,
  updateWebhookCommand,
  deleteWebhookCommand,
  switchOnWebhook,
  pingWebhook,
  rotateWebhookSecret,
  promoteWebhookSecret,
  showDeliveries,
  retryWebhook,
  replayWebhooks,
  redriveWebhooks,
  importBooks,
  showBooksOperations,
  doInBooks,
  showMails,
  showMail,
  retryMail,
  listen,
  trigger,
  makeDemo,
  runMigrations,
  distributeDatabase,
  resealSecretsCommand,
  verify,
]
