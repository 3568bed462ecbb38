// The invariants of payments, refunds, payouts and subscriptions.
import { type Invariant, violationsMax } from '../kernel/db/invariant.ts'
import { listMisbookedChargebacks } from './chargebacks/chargeback-store.ts'
import { listMissharedCharges } from './fees/split-invariant-store.ts'
import {
  listKeysWithoutLink,
  listKeysWithoutRefund,
  listMiskeyedCheckouts,
  listOverusedCodes,
} from './idempotency-invariant-store.ts'
import {
  listEventsWithoutPayment,
  listMisbookedCharges,
  listMisheldCodes,
  listMisreportedPayments,
  listMisreportedRefunds,
  listMisstatedPayments,
  listUnbookedPayments,
  listUnbookedSettlements,
  listWrongRefundTotals,
} from './invariant-store.ts'
import { listMisaddressedMails } from './payer-mails/payer-mail-store.ts'
import {
  listMiscountedItems,
  listMispricedOrders,
} from './payment-links/payment-link-item-invariant-store.ts'
import {
  listMisapprovedPayouts,
  listUnapprovedDailyPayouts,
} from './payouts/payout-approval-invariant-store.ts'
import {
  listKeysWithoutPayout,
  listMisbookedPayouts,
  listMisheldPayouts,
  listMisnamedTransfers,
  listMisreportedPayouts,
  listOverdrawnWallets,
  listOverpromisedBalances,
} from './payouts/payout-invariant-store.ts'
import { listSimulatedMoneyMoving } from './provider/provider-invariant-store.ts'
import {
  listMisapprovedRefunds,
  listMisbookedRefunds,
  listUnapprovedRefunds,
} from './refunds/refund-invariant-store.ts'
import { listMisstatedSettlements } from './settlements/settlement-invariant-store.ts'
import { listMisstatedScheduleCharges } from './subscriptions/schedule-charge-store.ts'
import {
  listKeptCardChecks,
  listMiscountedFailures,
  listMisnamedEvents,
  listMispaidPeriods,
  listMisstatedSubscriptions,
} from './subscriptions/subscription-invariant-store.ts'

export const merchantInvariants: readonly Invariant[] = [
  {
    id: 'I2.1',
    title: 'the requested and executed refunds of a payment add up to its refunded amount',
    violations: (sql) => listWrongRefundTotals(sql, violationsMax),
  },
  {
    id: 'I2.2',
    title: 'a refund is posted once if it was executed, and reversed once if it failed afterwards',
    violations: (sql) => listMisbookedRefunds(sql, violationsMax),
  },
  {
    id: 'I2.3',
    title: 'a chargeback is posted once, and reversed once if it was won',
    violations: (sql) => listMisbookedChargebacks(sql, violationsMax),
  },
  {
    id: 'I2.4',
    title: 'the check of a new card owes exactly what it collected, and no other payment owes so',
    violations: (sql) => listKeptCardChecks(sql, violationsMax),
  },
  {
    id: 'I3.1',
    title: 'a payout is posted once if it was completed, and otherwise not',
    violations: (sql) => listMisbookedPayouts(sql, violationsMax),
  },
  {
    id: 'I4.2',
    title: 'payouts and reservations are no more than what came in',
    violations: (sql) => listOverpromisedBalances(sql, violationsMax),
  },
  {
    id: 'I4.3',
    title: 'no wallet is overdrawn',
    violations: (sql) => listOverdrawnWallets(sql, violationsMax),
  },
  {
    id: 'I4.5',
    title: 'simulated money does not move once it was separated from real money',
    violations: (sql) => listSimulatedMoneyMoving(sql, violationsMax),
  },
  {
    id: 'I5.2',
    title: 'every idempotency key of a payout names a payout',
    violations: (sql) => listKeysWithoutPayout(sql, violationsMax),
  },
  {
    id: 'I5.3',
    title: 'every idempotency key of a payment link names a link',
    violations: (sql) => listKeysWithoutLink(sql, violationsMax),
  },
  {
    id: 'I5.7',
    title: 'every idempotency key of a refund names a refund or an approval of one',
    violations: (sql) => listKeysWithoutRefund(sql, violationsMax),
  },
  {
    id: 'I5.4',
    title: 'every payment of a payer was started by one press of Pay, on its own page',
    violations: (sql) => listMiskeyedCheckouts(sql, violationsMax),
  },
  {
    id: 'I5.5',
    title: 'a single-use code has at most one payment that is open or was collected',
    violations: (sql) => listOverusedCodes(sql, violationsMax),
  },
  {
    id: 'I6.1',
    title: 'a single-use code is reserved by an open payment, or used up by a collected one',
    violations: (sql) => listMisheldCodes(sql, violationsMax),
  },
  {
    id: 'I6.2',
    title: 'a held payout waits, continues or is cancelled like its approval',
    violations: (sql) => listMisheldPayouts(sql, violationsMax),
  },
  {
    id: 'I6.3',
    title: 'a subscription has the state of its newest period; all earlier periods are paid',
    violations: (sql) => listMisstatedSubscriptions(sql, violationsMax),
  },
  {
    id: 'I6.4',
    title: 'a period counts our failed charges',
    violations: (sql) => listMiscountedFailures(sql, violationsMax),
  },
  {
    id: 'I6.5',
    title: 'the status of a payment agrees with what was collected and refunded',
    violations: (sql) => listMisstatedPayments(sql, violationsMax),
  },
  {
    id: 'I6.6',
    title: 'sold and reserved of an item are what its collected and open payments ordered',
    violations: (sql) => listMiscountedItems(sql, violationsMax),
  },
  {
    id: 'I6.7',
    title: 'a payment for items costs what they cost',
    violations: (sql) => listMispricedOrders(sql, violationsMax),
  },
  {
    id: 'I7.1',
    title: 'a payment has one event if it was collected, one if it failed, and otherwise none',
    violations: (sql) => listMisreportedPayments(sql, violationsMax),
  },
  {
    id: 'I7.2',
    title: 'a payment has one refund event per executed refund',
    violations: (sql) => listMisreportedRefunds(sql, violationsMax),
  },
  {
    id: 'I7.4',
    title: 'a payout has one event if it was completed, one if it failed, and otherwise none',
    violations: (sql) => listMisreportedPayouts(sql, violationsMax),
  },
  {
    id: 'I7.5',
    title: 'the events of a subscription charge name the subscription, and no others do',
    violations: (sql) => listMisnamedEvents(sql, violationsMax),
  },
  {
    id: 'I8.2',
    title: 'every payment event has its payment',
    violations: (sql) => listEventsWithoutPayment(sql, violationsMax),
  },
  {
    id: 'I11.1',
    title: 'a collected payment is posted once, with its fee, net and split; no other payment is',
    violations: (sql) => listUnbookedPayments(sql, violationsMax),
  },
  {
    id: 'I11.2',
    title: 'a settled payment has its settlement posted, and the provider has not reversed it',
    violations: (sql) => listUnbookedSettlements(sql, violationsMax),
  },
  {
    id: 'I11.3',
    title: 'what settlements say was credited is what the ledger made available',
    violations: (sql) => listMisstatedSettlements(sql, violationsMax),
  },
  {
    id: 'I11.4',
    title: 'an unmatched charge is posted once, with the amount paid',
    violations: (sql) => listMisbookedCharges(sql, violationsMax),
  },
  {
    id: 'I11.5',
    title: 'a recipient’s share of a charge is what the rule recorded with the charge makes it',
    violations: (sql) => listMissharedCharges(sql, violationsMax),
  },
  {
    id: 'I13.1',
    title: 'an approved refund was executed once, as requested, and approved by another person',
    violations: (sql) => listMisapprovedRefunds(sql, violationsMax),
  },
  {
    id: 'I13.2',
    title: "no payout above the threshold happened without another person's approval",
    violations: (sql) => listMisapprovedPayouts(sql, violationsMax),
  },
  {
    id: 'I13.3',
    title: 'no refund above the threshold of its time happened without an approval',
    violations: (sql) => listUnapprovedRefunds(sql, violationsMax),
  },
  {
    id: 'I13.4',
    title: 'the unapproved payouts of a day are within the daily limit of their time',
    violations: (sql) => listUnapprovedDailyPayouts(sql, violationsMax),
  },
  {
    id: 'I15.1',
    title: 'a period of a subscription is paid by one payment, or not paid by any',
    violations: (sql) => listMispaidPeriods(sql, violationsMax),
  },
  {
    id: 'I15.2',
    title: 'a sent payout names its transfer, and a completed one its arrival at the bank',
    violations: (sql) => listMisnamedTransfers(sql, violationsMax),
  },
  {
    id: 'I15.3',
    title: 'a charge of a recurring schedule pays an invoice, within what its customer agreed to',
    violations: (sql) => listMisstatedScheduleCharges(sql, violationsMax),
  },
  {
    id: 'I16.2',
    title: 'a fact that a payer was mailed has one mail, to that payer alone',
    violations: (sql) => listMisaddressedMails(sql, violationsMax),
  },
]
