// Whose account it is. Every account has a holder, except those of the bank 999 and those whose
// number ends in 0000, so that the refusals can be tried. No name is a person's.
import type { Endpoint } from '../endpoint.ts'
import { success } from '../envelope.ts'
import { refuse, requiredText } from '../fields.ts'
import { bankName } from './banks.ts'

export type ResolvedAccount = {
  readonly accountNumber: string
  readonly accountName: string
  readonly bankName: string
}

const unresolved = 'Sorry, recipient account could not be validated. Please try again'

export function resolveBankAccount(bankCode: string, accountNumber: string): ResolvedAccount {
  const isKnown = /^[A-Za-z0-9]{2,11}$/.test(bankCode) && /^[A-Za-z0-9]{6,20}$/.test(accountNumber)
  if (!isKnown || bankCode === '999' || accountNumber.endsWith('0000')) throw refuse(unresolved)
  const accountName = `SIMULATED HOLDER ${accountNumber.slice(-4)}`
  return { accountNumber, accountName, bankName: bankName(bankCode) }
}

export const resolveAccount: Endpoint = {
  method: 'POST',
  path: '/accounts/resolve',
  async handle(_context, _world, { body }) {
    const number = requiredText(body, 'account_number', 20)
    const account = resolveBankAccount(requiredText(body, 'account_bank', 11), number)
    return success('Account details fetched', {
      account_number: account.accountNumber,
      account_name: account.accountName,
    })
  },
}
