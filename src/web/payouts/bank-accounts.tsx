// The bank accounts that payouts go to: the list, and the form that saves or changes one.
import { invalidField } from '../../kernel/basics/fault.ts'
import { isCurrency } from '../../kernel/money/currency.ts'
import { Alert, Card } from '../../kernel/web/components.tsx'
import type { ApprovalView } from '../../merchant/approvals/read-approval-views.ts'
import { setSettlementAccount } from '../../merchant/business/set-settlement-account.ts'
import type { MaskedAccount } from '../../merchant/business/settlement-account.ts'
import { accountPurpose, accountText } from '../components/account-text.ts'
import { DraftText } from '../components/draft-fields.tsx'
import { Facts } from '../components/facts.tsx'
import { formPage } from '../components/form-page.tsx'
import { defineForm } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { removalPath } from './remove-account-form.tsx'

const path = '/payouts/bank-account'

type BankAccountsProps = {
  visit: Visit
  accounts: readonly MaskedAccount[]
  // Changes that wait for a second person.
  changes: readonly ApprovalView[]
}

export function BankAccounts({ visit, accounts, changes }: BankAccountsProps) {
  const mayChange = visit.may(setSettlementAccount)
  return (
    <Card title="Bank accounts">
      {changes.map(({ id, request }) => (
        <Alert key={id} tone="unsure">
          {request.removes
            ? `The removal of account ····${request.beforeAccountEnding} `
            : `Another account (····${request.accountEnding}) `}
          waits for a second person. Until then nothing changes.{' '}
          <a href={visit.href(`/approvals/${id}`)}>See the request</a>
        </Alert>
      ))}
      {accounts.length === 0 ? (
        <p>No bank account is saved. Payouts can only go to the wallet.</p>
      ) : (
        <Facts
          facts={accounts.map((account) => [
            accounts.length === 1 && account.currency === null
              ? 'All currencies'
              : accountPurpose(account.currency),
            <>
              {accountText(account)} <HolderNote account={account} />
              {mayChange && (
                <>
                  <a
                    href={visit.href(path, { currency: account.currency ?? undefined })}
                    aria-label={`Change the account: ${accountPurpose(account.currency)}`}
                  >
                    Change
                  </a>{' '}
                  <a
                    href={visit.href(removalPath(account.currency))}
                    aria-label={`Remove the account: ${accountPurpose(account.currency)}`}
                  >
                    Remove
                  </a>
                </>
              )}
            </>,
          ])}
        />
      )}
      {mayChange && (
        <a class="btn" href={visit.href(path)}>
          {accounts.length === 0 ? 'Save a bank account' : 'Save another account'}
        </a>
      )}
    </Card>
  )
}

function HolderNote({ account: { holderName, beneficiaryName } }: { account: MaskedAccount }) {
  if (holderName === null || holderName === beneficiaryName) return null
  return <span class="quiet">(the bank has it as {holderName}) </span>
}

export const bankAccountForm = defineForm({
  path,
  operation: setSettlementAccount,
  isSensitive: true,
  input: (_visit, form) => ({
    currency: readCurrency(form.get('currency') ?? ''),
    bankCode: form.get('bankCode') ?? '',
    accountNumber: form.get('accountNumber') ?? '',
    beneficiaryName: form.get('beneficiaryName') ?? '',
  }),
  show: async (visit, draft) =>
    formPage({
      title: 'Bank account for payouts',
      back: { href: visit.href('/payouts'), text: 'Payouts' },
      draft,
      submit: 'Save bank account',
      children: (
        <>
          <p>
            If another person can approve, they have to agree first; until then payouts go to the
            old account. All owners get a mail. Payouts that wait for approval must be requested
            again after the change.
          </p>
          <DraftText
            draft={draft}
            name="currency"
            label="Currency"
            hint="Leave it empty for all currencies without their own account."
            isOptional
          />
          <DraftText
            draft={draft}
            name="bankCode"
            label="Bank code"
            hint="The code that the payment provider uses, for example 044."
          />
          <DraftText draft={draft} name="accountNumber" label="Account number" />
          <DraftText
            draft={draft}
            name="beneficiaryName"
            label="Account holder"
            hint="Leave it empty for the name that the bank has."
            isOptional
          />
        </>
      ),
    }),
  done: (visit, { approvalId, accountEnding, holderName }) =>
    approvalId === null
      ? {
          location: visit.href('/payouts'),
          message: `Payouts go to account ····${accountEnding} now. ${holderText(holderName)}`,
        }
      : {
          location: visit.href(`/approvals/${approvalId}`),
          message: 'A second person has to approve the bank account. Until then nothing changes.',
        },
})

function holderText(holderName: string | null): string {
  return holderName === null
    ? 'The payment provider could not confirm the holder. Check the number.'
    : `The bank has it under the name ${holderName}.`
}

function readCurrency(text: string): string | null {
  const currency = text.trim().toUpperCase()
  if (currency === '') return null
  if (!isCurrency(currency)) throw invalidField('currency', 'Enter a currency such as NGN.')
  return currency
}
