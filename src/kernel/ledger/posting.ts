// A posting is a balanced set of lines, checked before it reaches the database. Our own code
// decides the amounts, so an unbalanced posting is a bug and never the caller's fault.
import { assert } from '../basics/assert.ts'
import { isCurrency } from '../money/currency.ts'
import { isWithinRange } from '../money/minor-units.ts'

// Positive is a debit, negative a credit.
export type LedgerLine = {
  readonly account: string
  readonly currency: string
  readonly amountMinor: bigint
}

export type Posting = {
  readonly kind: string
  readonly sourceId: string | null
  readonly description: string | null
  readonly lines: readonly LedgerLine[]
}

// The database has the same limits. Here the error names the wrong value.
const linesMax = 1000
const kindPattern = /^[a-z][a-z0-9_]*(\.[a-z0-9_]+)*$/
const kindLengthMax = 100
const accountPattern = /^[a-z][a-z0-9_-]*(:[a-z0-9][a-z0-9_-]*)*$/
const accountLengthMax = 150
const descriptionLengthMax = 500

// `kind` says what happened (`payout.completed`), `sourceId` to which object. The pair is unique:
// the database stores a fact once.
export function posting(input: {
  kind: string
  sourceId?: string
  description?: string
  lines: readonly LedgerLine[]
}): Posting {
  const { kind, sourceId = null, description = null, lines } = input
  assert(kindPattern.test(kind) && kind.length <= kindLengthMax, `a posting of kind "${kind}"`)
  assert(
    description === null || (description !== '' && description.length <= descriptionLengthMax),
    `a description of ${description?.length} characters`,
  )
  assert(lines.length >= 2 && lines.length <= linesMax, `a posting with ${lines.length} lines`)
  for (const line of lines) checkLine(line)
  for (const [currency, sumMinor] of sumByCurrency(lines)) {
    assert(sumMinor === 0n, `posting ${kind} is off by ${sumMinor} ${currency}`)
  }
  return { kind, sourceId, description, lines: lines.toSorted(compareLines) }
}

// The order in which accounts are locked and folded, so that two transactions on the same accounts
// can't deadlock. By code unit, like the database's collation "C" for the characters that an
// account can have.
export function compareLines(
  left: Pick<LedgerLine, 'account' | 'currency'>,
  right: Pick<LedgerLine, 'account' | 'currency'>,
): number {
  return compareText(left.account, right.account) || compareText(left.currency, right.currency)
}

function checkLine({ account, currency, amountMinor }: LedgerLine): void {
  assert(isLedgerAccount(account), `a ledger account named "${account}"`)
  assert(isCurrency(currency), `a ledger line in "${currency}"`)
  assert(amountMinor !== 0n, `a line of zero on ${account}`)
  assert(isWithinRange(amountMinor), `a line of ${amountMinor} ${currency} on ${account}`)
}

function isLedgerAccount(account: string): boolean {
  return accountPattern.test(account) && account.length <= accountLengthMax
}

function sumByCurrency(lines: readonly LedgerLine[]): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const { currency, amountMinor } of lines) {
    sums.set(currency, (sums.get(currency) ?? 0n) + amountMinor)
  }
  return sums
}

function compareText(left: string, right: string): number {
  if (left === right) return 0
  return left < right ? -1 : 1
}
