// Account names for programs that keep books as text: `Assets:1100-Accounts-Receivable`. Only
// characters that beancount, the strictest of them, allows: ASCII letters, digits and hyphens,
// starting with a capital or a digit. Names that become equal get a number.
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
  // In lower case, because some programs ignore case.
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
    // Accents, which are separate characters now.
    .replaceAll(/\p{Mark}/gu, '')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return words.join('-') || 'Account'
}
