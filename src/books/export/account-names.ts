// Names of accounts for programs that keep books as text: `Assets:1100-Accounts-Receivable`. Only
// what beancount, the strictest of them, takes in a name: letters and digits of ASCII and hyphens,
// beginning with a capital or a digit. Names that become the same that way are counted.
import type { Account, AccountType } from '../accounts/account.ts'

const roots: Readonly<Record<AccountType, string>> = {
  asset: 'Assets',
  liability: 'Liabilities',
  equity: 'Equity',
  income: 'Income',
  expense: 'Expenses',
}

// By the id of the account.
export function accountNames(accounts: readonly Account[]): Map<string, string> {
  const names = new Map<string, string>()
  // In lower case, because some of them tell names apart by their letters alone.
  const taken = new Set<string>()
  for (const { id, code, name, type } of accounts) {
    const plain = `${roots[type]}:${safeName(`${code} ${name}`)}`
    let free = plain
    for (let count = 2; taken.has(free.toLowerCase()); count += 1) free = `${plain}-${count}`
    taken.add(free.toLowerCase())
    names.set(id, free)
  }
  return names
}

function safeName(text: string): string {
  const words = text
    .normalize('NFKD')
    // Accents, which stand apart from their letters now.
    .replaceAll(/\p{Mark}/gu, '')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return words.join('-') || 'Account'
}
