// Asking for a payout, cancelling one, and the wallet.
import { invalidField } from '../../kernel/basics/fault.ts'
import { isCurrency } from '../../kernel/money/currency.ts'
import type { BusinessBalance } from '../../merchant/balances/balance.ts'
import { listBalances } from '../../merchant/balances/list-balances.ts'
import { withdrawFromWallet } from '../../merchant/balances/withdraw-from-wallet.ts'
import {
  accountFor,
  listSettlementAccounts,
} from '../../merchant/business/list-settlement-accounts.ts'
import type { MaskedAccount } from '../../merchant/business/settlement-account.ts'
import { cancelPayout } from '../../merchant/payouts/cancel-payout.ts'
import { createPayout } from '../../merchant/payouts/create-payout.ts'
import type { DestinationType } from '../../merchant/payouts/payout.ts'
import type { ShownAccount } from '../../merchant/payouts/reserve-payout.ts'
import { accountText } from '../components/account-text.ts'
import { readTypedAmount } from '../components/amount-field.ts'
import { DraftSelect, DraftText } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { formatMoney } from '../components/money.tsx'
import { defineForm } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'

const back = (visit: Visit) => ({ href: visit.href('/payouts'), text: 'Payouts' })

function readMoney(form: URLSearchParams) {
  const currency = form.get('currency') ?? ''
  if (!isCurrency(currency)) throw invalidField('currency', 'Choose a currency.')
  return { currency, amountMinor: readTypedAmount(form, 'amountMinor', currency) }
}

// The payout goes to the account that the person saw, or to none.
function checkDestination(
  accounts: readonly MaskedAccount[],
  currency: string,
  chosen: string,
): { destinationType: DestinationType; shownAccount?: ShownAccount } {
  if (chosen === 'service_account') return { destinationType: chosen }
  const account = accountFor(accounts, currency)
  if (account && chosen === accountText(account)) {
    const { bankCode, accountEnding, beneficiaryName } = account
    // Compared again when the payout is recorded.
    return {
      destinationType: 'provider_bank',
      shownAccount: { bankCode, accountEnding, beneficiaryName },
    }
  }
  const isOther = accounts.some((one) => accountText(one) === chosen)
  throw invalidField(
    'destinationType',
    isOther
      ? `This account is not the one for ${currency}. Choose another.`
      : 'The bank account has changed. Check it and try again.',
  )
}

function accountChoices(accounts: readonly MaskedAccount[]): Record<string, string> {
  return Object.fromEntries(
    accounts.map((account) => {
      const text = accountText(account)
      return [text, account.currency === null ? text : `${account.currency}: ${text}`]
    }),
  )
}

function currencyChoices(
  balances: readonly BusinessBalance[],
  part: 'availableMinor' | 'walletMinor',
): Record<string, string> {
  return Object.fromEntries(
    balances.map((balance) => {
      const { currency } = balance
      return [currency, formatMoney(balance[part], currency)]
    }),
  )
}

const newForm = defineForm({
  path: '/payouts/new',
  operation: createPayout,
  async input(visit, form) {
    const money = readMoney(form)
    const accounts = await visit.run(listSettlementAccounts, {})
    const chosen = form.get('destinationType') ?? ''
    return { ...money, ...checkDestination(accounts, money.currency, chosen) }
  },
  async show(visit, draft) {
    const [balances, accounts] = await Promise.all([
      visit.run(listBalances, {}),
      visit.run(listSettlementAccounts, {}),
    ])
    const first = balances[0]?.currency ?? ''
    const usual = accountFor(accounts, first)
    return formPage({
      title: 'New payout',
      back: back(visit),
      draft,
      submit: 'Pay out',
      children: (
        <>
          <DraftSelect
            draft={draft}
            name="currency"
            label="From the available balance"
            initial={first}
            choices={currencyChoices(balances, 'availableMinor')}
          />
          <DraftText draft={draft} name="amountMinor" label="Amount" inputMode="decimal" />
          <DraftSelect
            draft={draft}
            name="destinationType"
            label="To"
            initial={usual ? accountText(usual) : ''}
            choices={{ ...accountChoices(accounts), service_account: 'Wallet inside Tillbook' }}
          />
          <p class="quiet">
            The amount is reserved at once. Above your threshold a second person has to approve it.
          </p>
        </>
      ),
    })
  },
  done(visit, { payout }) {
    const amount = formatMoney(payout.amountMinor, payout.currency)
    if (payout.status === 'pending' && payout.approvalId) {
      return {
        location: visit.href(`/approvals/${payout.approvalId}`),
        message: `The payout of ${amount} waits for a second person. Its amount is reserved.`,
      }
    }
    const outcome = payout.status === 'completed' ? 'was paid out' : 'is on its way'
    return { location: visit.href('/payouts'), message: `${amount} ${outcome}.` }
  },
})

const cancelForm = defineForm({
  path: '/payouts/:id/cancel',
  operation: cancelPayout,
  input: (visit) => ({ id: visit.param('id') }),
  show: async (visit, draft) =>
    formPage({
      title: 'Cancel payout',
      back: back(visit),
      draft,
      submit: 'Cancel payout',
      isDangerous: true,
      children: (
        <p>The payout ends, and the reserved amount is available again. No money is moved.</p>
      ),
    }),
  done: (visit) => ({
    location: visit.href('/payouts'),
    message: 'The payout is cancelled. Its amount is available again.',
  }),
})

const walletForm = defineForm({
  path: '/payouts/from-wallet',
  operation: withdrawFromWallet,
  input: (_visit, form) => readMoney(form),
  async show(visit, draft) {
    const balances = await visit.run(listBalances, {})
    return formPage({
      title: 'Take from the wallet',
      back: back(visit),
      draft,
      submit: 'Move to the available balance',
      children: (
        <>
          <DraftSelect
            draft={draft}
            name="currency"
            label="From the wallet"
            initial={balances[0]?.currency ?? ''}
            choices={currencyChoices(balances, 'walletMinor')}
          />
          <DraftText draft={draft} name="amountMinor" label="Amount" inputMode="decimal" />
        </>
      ),
    })
  },
  done: (visit, { amountMinor, currency }) => ({
    location: visit.href('/payouts'),
    message: `${formatMoney(amountMinor, currency)} is available for payouts.`,
  }),
})

export const payoutForms = [...newForm, ...cancelForm, ...walletForm]
