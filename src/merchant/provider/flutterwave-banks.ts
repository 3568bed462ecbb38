// Whether the provider knows a bank account, and its holder. Its refusals have no code for the
// reason, so after a refusal we look it up: the list of banks, then the name of the account's
// holder.
import { read, readAll, unsettled } from './flutterwave-answers.ts'
import type { Envelope, FlutterwaveClient } from './flutterwave-client.ts'
import { isFields, textOf } from './flutterwave-fields.ts'
import type { BankAccount, BankAccountCheck, Outcome } from './provider.ts'

export async function checkBankAccount(
  client: FlutterwaveClient,
  { bankCode, accountNumber }: BankAccount,
  country: string,
): Promise<Outcome<BankAccountCheck>> {
  const path = `/banks/${encodeURIComponent(country)}`
  const listed = read(await client({ method: 'GET', path }), ({ data }) =>
    readAll(data, (bank) => (isFields(bank) ? textOf(bank, 'code') : undefined)),
  )
  if (listed.kind !== 'success') return unsettled(listed)
  // The provider changes between text and number, which has no leading zeros.
  const plain = (code: string) => code.replace(/^0+/, '')
  const isListed = listed.value.map(plain).includes(plain(bankCode))
  if (!isListed) return { kind: 'success', value: 'unknown_bank' }
  const resolved = await resolveAccount(client, { bankCode, accountNumber })
  if (resolved.kind === 'unknown') return resolved
  const isKnown = resolved.kind === 'success'
  return { kind: 'success', value: isKnown ? 'known' : 'unknown_account' }
}

export async function findAccountHolder(
  client: FlutterwaveClient,
  account: BankAccount,
): Promise<Outcome<string | null>> {
  const resolved = await resolveAccount(client, account)
  if (resolved.kind === 'refused') return { kind: 'success', value: null }
  return read(resolved, ({ data }) => (isFields(data) ? textOf(data, 'account_name') : undefined))
}

function resolveAccount(
  client: FlutterwaveClient,
  { bankCode, accountNumber }: BankAccount,
): Promise<Outcome<Envelope>> {
  return client({
    method: 'POST',
    path: '/accounts/resolve',
    body: { account_bank: bankCode, account_number: accountNumber },
    hidden: [accountNumber],
  })
}
