import { zeroDecimal } from '../../kernel/money/decimal.ts'
import type { Endpoint } from '../endpoint.ts'
import { success } from '../envelope.ts'
import { currencyOf } from '../fields.ts'
import { listWallets, type Wallet } from './wallet-store.ts'

export const getBalances: Endpoint = {
  method: 'GET',
  path: '/balances',
  async handle({ database }, { tenant }) {
    const wallets = await listWallets(database.sql, tenant)
    return success('Wallet balances fetched', wallets.map(present))
  },
}

export const getBalance: Endpoint = {
  method: 'GET',
  path: '/balances/:currency',
  async handle({ database }, { tenant }, { params }) {
    const currency = currencyOf(params)
    const wallets = await listWallets(database.sql, tenant)
    const empty = { currency, available: zeroDecimal, ledger: zeroDecimal }
    const wallet = wallets.find((entry) => entry.currency === currency) ?? empty
    return success('Wallet balance fetched', present(wallet))
  },
}

function present({ currency, available, ledger }: Wallet) {
  return { currency, available_balance: available, ledger_balance: ledger }
}
