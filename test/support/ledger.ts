// Debian's `ledger`, which keeps books as text and refuses unbalanced entries.
import { execFile } from 'node:child_process'

// What each account holds, by its name: amounts by their currency.
export type LedgerBalances = Record<string, Record<string, string>>

// With `cost`, everything at what it cost in the base currency.
export async function ledgerBalances(journal: string, cost: boolean): Promise<LedgerBalances> {
  const options = ['-f', '-', 'balance', '--flat', '--no-total', ...(cost ? ['-B'] : [])]
  const output = await ledger(journal, [
    ...options,
    '--balance-format',
    '%(account)\t%(scrub(display_total))\n',
  ])
  const balances: LedgerBalances = {}
  let account = ''
  for (const line of output.split('\n').filter((text) => text.trim() !== '')) {
    // Several amounts of one account stand below each other.
    const [first = '', second] = line.includes('\t') ? line.split('\t') : [account, line]
    account = first
    const [amount = '', currency = ''] = (second ?? '').trim().split(/\s+/)
    if (amount === '0') continue
    balances[account] = { ...balances[account], [currency]: amount }
  }
  return balances
}

function ledger(journal: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile('ledger', args, { maxBuffer: 2 ** 28 }, (error, stdout, stderr) => {
      if (error || stderr !== '') reject(new Error(`ledger refused: ${stderr}`, { cause: error }))
      else resolve(stdout)
    })
    child.stdin?.end(journal)
  })
}
