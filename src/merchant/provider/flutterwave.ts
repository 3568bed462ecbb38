// The provider's version 3 API. It has no idempotency. The references of checkouts and transfers
// are unique, and both can be looked up by them. A refund has no reference, so callers must list
// before and after.
import { assert } from '../../kernel/basics/assert.ts'
import {
  countOf,
  hasMore,
  majorUnits,
  read,
  readAll,
  readReferenced,
  unreadable,
  unsettled,
} from './flutterwave-answers.ts'
import { checkBankAccount, findAccountHolder } from './flutterwave-banks.ts'
import { listChargebacks } from './flutterwave-chargebacks.ts'
import {
  createClient,
  type FlutterwaveClient,
  type FlutterwaveOptions,
} from './flutterwave-client.ts'
import { flutterwaveCurrencies, flutterwaveRefundMinimums } from './flutterwave-currencies.ts'
import { readCharge } from './flutterwave-facts.ts'
import { isFields, textOf } from './flutterwave-fields.ts'
import {
  createRefund,
  findReference,
  listRefunds,
  listRefundsBetween,
} from './flutterwave-refunds.ts'
import { chargeSavedCard } from './flutterwave-saved-cards.ts'
import { listSettledSplits } from './flutterwave-settlements.ts'
import { createSubaccount, findSubaccount } from './flutterwave-subaccounts.ts'
import { createTransfer, findTransfer } from './flutterwave-transfers.ts'
import type { ChargeFact, CheckoutInstruction, Outcome, Provider } from './provider.ts'

const checkoutOrigin = 'https://checkout.flutterwave.com'

// The provider keeps a page open for a day at most.
const sessionMinutesMax = 1440

// One reference, one charge: a declined payer tries again with a new payment, and a decline is
// never followed by a success that no one waits for.
const attemptsMax = 1

export function createFlutterwave(options: FlutterwaveOptions): Provider {
  // A blank in front of the key makes the provider drop the split, and the charge still succeeds.
  assert(/^\S+$/.test(options.secretKey), 'a provider key that is empty or has blanks')
  const client = createClient(options)
  return {
    name: 'flutterwave',
    isSimulated: false,
    // Its pages have their own address, unless the whole provider is simulated.
    checkoutOrigins: [checkoutOrigin, new URL(options.baseUrl).origin],
    supports: (currency) => flutterwaveCurrencies.has(currency),
    refundMinimumMinor: (currency) => flutterwaveRefundMinimums[currency] ?? 0n,
    async createCheckout(instruction) {
      const body = checkoutBody(instruction)
      return read(await client({ method: 'POST', path: '/payments', body }), ({ data }) => {
        const url = isFields(data) ? textOf(data, 'link') : undefined
        return url !== undefined && URL.canParse(url) ? { url } : undefined
      })
    },
    chargeSavedCard: (instruction) => chargeSavedCard(client, instruction),
    findCharge: (reference) => findCharge(client, reference),
    async listCharges({ from, to, page }) {
      const query = { from: dayOf(from), to: dayOf(to), page: String(page) }
      return listCharges(client, query, page, readReferenced)
    },
    refund: (instruction) => createRefund(client, instruction),
    listRefunds: (transactionId) => listRefunds(client, transactionId),
    listRefundsBetween: ({ from, to, page }) =>
      listRefundsBetween(client, { from: dayOf(from), to: dayOf(to) }, page),
    findReference: (transactionId) => findReference(client, transactionId),
    listChargebacks: ({ from, to, page }) =>
      listChargebacks(client, { from: dayOf(from), to: dayOf(to) }, page),
    createTransfer: (instruction) => createTransfer(client, instruction),
    findTransfer: (reference) => findTransfer(client, reference),
    createSubaccount: (instruction) => createSubaccount(client, instruction),
    findSubaccount: (account) => findSubaccount(client, account),
    findAccountHolder: (account) => findAccountHolder(client, account),
    checkBankAccount: (account, country) => checkBankAccount(client, account, country),
    listSettledSplits: ({ from, to }) =>
      listSettledSplits(client, { from: dayOf(from), to: dayOf(to) }),
  }
}

function checkoutBody(instruction: CheckoutInstruction) {
  const { currency, payerName, description, sessionMinutes, split } = instruction
  const isWhole = Number.isInteger(sessionMinutes)
  assert(isWhole && sessionMinutes >= 1 && sessionMinutes <= sessionMinutesMax, 'session minutes')
  return {
    tx_ref: instruction.reference,
    amount: majorUnits(instruction.amountMinor, currency),
    // Without it, the provider would charge in naira.
    currency,
    redirect_url: instruction.returnUrl,
    session_duration: sessionMinutes,
    max_retry_attempt: attemptsMax,
    ...(instruction.cardOnly && { payment_options: 'card' }),
    customer: { email: instruction.payerEmail, ...(payerName !== null && { name: payerName }) },
    customizations: {
      title: instruction.title,
      ...(description !== null && { description }),
    },
    ...(split && {
      subaccounts: [
        {
          id: split.subaccountId,
          // The only type that says what the sub-account gets; the others say what we keep.
          transaction_charge_type: 'flat_subaccount',
          transaction_charge: majorUnits(split.amountMinor, currency),
        },
      ],
    }),
  }
}

// A payer may have tried more than once with one reference, and the provider then chooses which
// charge it returns. So only a success is trusted at once; otherwise all charges of the reference
// are listed. That also distinguishes "none" from any other refusal.
async function findCharge(
  client: FlutterwaveClient,
  reference: string,
): Promise<Outcome<ChargeFact | null>> {
  const path = '/transactions/verify_by_reference'
  const answer = await client({ method: 'GET', path, query: { tx_ref: reference } })
  const verified = read(answer, ({ data }) => readCharge(data))
  if (verified.kind === 'unknown') return verified
  if (verified.kind === 'success') {
    if (verified.value.reference !== reference) return unreadable('a charge of another reference')
    if (verified.value.status === 'successful') return verified
  }
  const listed = await listCharges(client, { tx_ref: reference }, 1, readAll)
  if (listed.kind !== 'success') return unsettled(listed)
  const candidates = [
    ...listed.value.charges.filter((charge) => charge.reference === reference),
    ...(verified.kind === 'success' ? [verified.value] : []),
  ]
  const telling = ['successful', 'pending', 'failed'] as const
  const found = telling.flatMap(
    (status) => candidates.find((charge) => charge.status === status) ?? [],
  )
  return { kind: 'success', value: found[0] ?? null }
}

type ChargePage = { charges: ChargeFact[]; hasMore: boolean }

async function listCharges(
  client: FlutterwaveClient,
  query: Readonly<Record<string, string>>,
  page: number,
  readEach: typeof readAll,
): Promise<Outcome<ChargePage>> {
  const answer = await client({ method: 'GET', path: '/transactions', query })
  return read(answer, (envelope) => {
    const charges = readEach(envelope.data, readCharge)
    return charges && { charges, hasMore: hasMore(envelope, page, countOf(envelope.data)) }
  })
}

// The provider filters by whole days.
function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10)
}
