// Removing a bank account that payouts go to.
import { notFound } from '../../kernel/basics/fault.ts'
import { listSettlementAccounts } from '../../merchant/business/list-settlement-accounts.ts'
import { removeSettlementAccount } from '../../merchant/business/remove-settlement-account.ts'
import { accountPurpose, accountText } from '../components/account-text.ts'
import { Facts } from '../components/facts.tsx'
import { formPage } from '../components/form-page.tsx'
import { defineForm } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'

const path = '/payouts/bank-account/remove'

// In the address, of the account for all currencies without their own.
const others = 'others'

export function removalPath(currency: string | null): string {
  return `${path}/${currency ?? others}`
}

function currencyIn(visit: Visit): string | null {
  const purpose = visit.param('purpose')
  return purpose === others ? null : purpose
}

export const removeAccountForm = defineForm({
  path: `${path}/:purpose`,
  operation: removeSettlementAccount,
  isSensitive: true,
  input: (visit, form) => ({
    currency: currencyIn(visit),
    accountEnding: form.get('accountEnding') ?? '',
  }),
  async show(visit, draft) {
    const currency = currencyIn(visit)
    const accounts = await visit.run(listSettlementAccounts, {})
    const account = accounts.find((one) => one.currency === currency)
    if (!account) throw notFound('bank account')
    const usual = accounts.find((one) => one.currency === null)
    const next =
      currency !== null && usual
        ? `Payouts in ${currency} go to account ····${usual.accountEnding} then.`
        : 'Such payouts can only go to the wallet then.'
    return formPage({
      title: 'Remove bank account',
      back: { href: visit.href('/payouts'), text: 'Payouts' },
      draft,
      submit: 'Remove bank account',
      isDangerous: true,
      children: (
        <>
          <input type="hidden" name="accountEnding" value={account.accountEnding} />
          <Facts
            facts={[
              ['Account', accountText(account)],
              ['For', accountPurpose(currency)],
            ]}
          />
          <p>
            {next} If another person can approve, they have to agree first. All owners get a mail.
            Payouts that wait for approval must be requested again after the removal.
          </p>
        </>
      ),
    })
  },
  done: (visit, { approvalId, accountEnding }) =>
    approvalId === null
      ? {
          location: visit.href('/payouts'),
          message: `Account ····${accountEnding} is removed. Payouts no longer go to it.`,
        }
      : {
          location: visit.href(`/approvals/${approvalId}`),
          message: 'A second person has to approve the removal. Until then nothing changes.',
        },
})
