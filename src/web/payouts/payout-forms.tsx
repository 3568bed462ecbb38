// Asking for a payout, cancelling one, the wallet, and the bank account that payouts go to.
import { invalidField } from '../../kernel/basics/fault.ts'
import { isCurrency } from '../../kernel/money/currency.ts'
import type { BusinessBalance } from '../../merchant/balances/balance.ts'
import { listBalances } from '../../merchant/balances/list-balances.ts'
import { withdrawFromWallet } from '../../merchant/balances/withdraw-from-wallet.ts'
import { getSettlementAccount } from '../../merchant/business/get-settlement-account.ts'
import { setSettlementAccount } from '../../merchant/business/set-settlement-account.ts'
import type { MaskedAccount } from '../../merchant/business/settlement-account.ts'
import { cancelPayout } from '../../merchant/payouts/cancel-payout.ts'
import { createPayout } from '../../merchant/payouts/create-payout.ts'
import type { DestinationType } from '../../merchant/payouts/payout.ts'
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

// What the person sees. The payout goes to this account or to none.
function accountText(account: MaskedAccount | null): string {
  if (!account) return ''
  const { beneficiaryName, bankCode, accountEnding } = account
  return `${beneficiaryName}, bank ${bankCode}, account ····${accountEnding}`
}

function currencyChoices(
  balances: readonly BusinessBalance[],
  part: 'availableMinor' | 'walletMinor',
): Record<string, string> {
  return Object.fromEntries(
    balances.map((balance) => {
      const { currency } = balance
      return [currency, `${currency}: ${formatMoney(balance[part], currency)}`]
    }),
  )
}

const newForm = defineForm({
  path: '/payouts/new',
  operation: createPayout,
  async input(visit, form) {
    const destinationType = (form.get('destinationType') ?? '') as DestinationType
    const account = await visit.run(getSettlementAccount, {})
    if (destinationType === 'provider_bank' && form.get('account') !== accountText(account)) {
      throw invalidField('destinationType', 'The bank account has changed. Check it and try again.')
    }
    return { ...readMoney(form), destinationType }
  },
  async show(visit, draft) {
    const [balances, account] = await Promise.all([
      visit.run(listBalances, {}),
      visit.run(getSettlementAccount, {}),
    ])
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
            initial={balances[0]?.currency ?? ''}
            choices={currencyChoices(balances, 'availableMinor')}
          />
          <DraftText draft={draft} name="amountMinor" label="Amount" inputMode="decimal" />
          <input type="hidden" name="account" value={accountText(account)} />
          <DraftSelect
            draft={draft}
            name="destinationType"
            label="To"
            initial={account ? 'provider_bank' : ''}
            choices={{
              ...(account && {
                provider_bank: accountText(account),
              }),
              service_account: 'Wallet inside Tillbook',
            }}
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

const bankAccountForm = defineForm({
  path: '/payouts/bank-account',
  operation: setSettlementAccount,
  isSensitive: true,
  input: (_visit, form) => ({
    bankCode: form.get('bankCode') ?? '',
    accountNumber: form.get('accountNumber') ?? '',
    beneficiaryName: form.get('beneficiaryName') ?? '',
  }),
  show: async (visit, draft) =>
    formPage({
      title: 'Bank account',
      back: back(visit),
      draft,
      submit: 'Save bank account',
      children: (
        <>
          <p>
            All payouts go to this account from now on. Payouts that wait for approval can’t be
            approved any more; request them again.
          </p>
          <DraftText draft={draft} name="beneficiaryName" label="Account holder" />
          <DraftText
            draft={draft}
            name="bankCode"
            label="Bank code"
            hint="The code that the payment provider uses."
          />
          <DraftText draft={draft} name="accountNumber" label="Account number" />
        </>
      ),
    }),
  done: (visit, account) => ({
    location: visit.href('/payouts'),
    message: `Payouts go to account ····${account.accountEnding} now.`,
  }),
})

export const payoutForms = [...newForm, ...cancelForm, ...walletForm, ...bankAccountForm]
