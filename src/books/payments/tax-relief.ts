// How much of a document's tax a partial write-off takes back. Parts can be removed in any order,
// so nothing is computed from earlier amounts: the shares of the current parts are summed, and the
// next one takes what is missing to the exact share of all of them together. So no more tax is
// taken back than was posted, and a write-off of the rest takes the rest of each tax, to the minor
// unit. Pure.
import { assert } from '../../kernel/basics/assert.ts'
import { allocate, roundTogether } from '../../kernel/money/allocate.ts'
import type { TaxPart } from './settlement-posting.ts'

// An amount in both currencies, signed like the document on its control account.
export type SignedAmount = { readonly amountMinor: bigint; readonly baseMinor: bigint }

type TaxedDocument = {
  readonly whole: SignedAmount
  // The posted tax.
  readonly booked: readonly TaxPart[]
  // Everything that current write-offs with tax relief have posted against the control account:
  // taxes, and the loss or gain.
  readonly givenUp: readonly TaxPart[]
}

// The taxes of the part, as the write-off posts them.
export function taxRelief(document: TaxedDocument, part: SignedAmount): TaxPart[] {
  const amounts = sharesIn('amountMinor', document, part)
  const bases = sharesIn('baseMinor', document, part)
  return document.booked.map(({ accountId, taxCodeId }, index) => ({
    accountId,
    taxCodeId,
    amountMinor: amounts[index] ?? 0n,
    baseMinor: bases[index] ?? 0n,
  }))
}

function sharesIn(
  unit: 'amountMinor' | 'baseMinor',
  { whole, booked, givenUp }: TaxedDocument,
  part: SignedAmount,
): bigint[] {
  const sign = whole.amountMinor < 0n ? -1n : 1n
  const taxes = booked.map((tax) => -sign * tax[unit])
  const taken = booked.map(
    (tax) => sign * sum(givenUp.filter((one) => isSameTax(one, tax)).map((one) => one[unit])),
  )
  const net = sign * whole[unit] - sum(taxes)
  const netTaken = sign * sum(givenUp.map((one) => one[unit])) - sum(taken)
  const shares = nextShares([...taxes, net], [...taken, netTaken], sign * part[unit])
  return booked.map((_, index) => sign * (shares[index] ?? 0n))
}

function isSameTax(one: TaxPart, other: TaxPart): boolean {
  return one.accountId === other.accountId && one.taxCodeId === other.taxCodeId
}

// For each part of a whole, the share of the next amount, given how much of each was taken before.
// Among equal remainders the first gets more: taxes come before the net, so they are rounded half
// up.
function nextShares(
  parts: readonly bigint[],
  taken: readonly bigint[],
  amountMinor: bigint,
): bigint[] {
  const wholeMinor = sum(parts)
  // Worth less than half of the smallest unit in this currency.
  if (wholeMinor === 0n) return parts.map(() => 0n)
  assert(wholeMinor > 0n && amountMinor >= 0n, 'shares of something owed the other way')
  const upToMinor = sum(taken) + amountMinor
  assert(upToMinor <= wholeMinor, 'more is given up than there is')
  const due = roundTogether(
    parts.map((part) => part * upToMinor),
    wholeMinor,
  )
  const missing = due.map((share, index) => alike(share - (taken[index] ?? 0n), parts[index] ?? 0n))
  // With parts of both signs, the net takes the difference.
  if (parts.some((part) => part < 0n)) return missing
  // If a removal left too much of one part, the others wait: together they never take more than is
  // written off, and never more than is missing of each.
  return allocate(amountMinor, missing)
}

// Nothing is returned: a part that has too much takes nothing.
function alike(missing: bigint, part: bigint): bigint {
  const isAlike = part > 0n ? missing > 0n : part < 0n && missing < 0n
  return isAlike ? missing : 0n
}

function sum(amountsMinor: readonly bigint[]): bigint {
  return amountsMinor.reduce((total, amountMinor) => total + amountMinor, 0n)
}
