// The journal lines of a document, as pure data. The control account gets the total at the
// document's rate, rounded once; every other part is rounded separately, and the rounding
// difference goes to the largest part, so that the entry balances and the control account is exact.
import { assert, assertDefined } from '../../kernel/basics/assert.ts'
import { type JournalLine, tidyLines } from '../journal/journal-entry.ts'
import { convertMinor } from '../payments/open-item.ts'
import type { Document, DocumentLine } from './document.ts'
import { isDebit } from './document-status.ts'

export type DocumentToPost = Pick<
  Document,
  'id' | 'kind' | 'contactId' | 'currency' | 'totalMinor'
> & {
  readonly fxRate: string
  readonly lines: readonly DocumentLine[]
}

export type PostingAccounts = {
  readonly baseCurrency: string
  readonly controlAccountId: string
  // By tax code: the account of each of its components.
  readonly taxAccountIds: ReadonlyMap<string, readonly string[]>
}

export type DocumentPosting = {
  // Signed like the line on the control account.
  readonly controlMinor: bigint
  readonly controlBaseMinor: bigint
  // Empty for a document without amounts, which needs no entry.
  readonly lines: readonly JournalLine[]
}

const descriptionMax = 500

export function documentPosting(
  document: DocumentToPost,
  accounts: PostingAccounts,
): DocumentPosting {
  const { currency, fxRate } = document
  const sign = isDebit(document.kind) ? 1n : -1n
  const toBase = (amountMinor: bigint) =>
    convertMinor(amountMinor, currency, fxRate, accounts.baseCurrency)
  const controlMinor = sign * document.totalMinor
  const controlBaseMinor = toBase(controlMinor)
  const others = otherParts(document, accounts).map((part) => {
    const amountMinor = -sign * part.amountMinor
    return { ...part, amountMinor, baseMinor: toBase(amountMinor) }
  })
  const control: JournalLine = {
    accountId: accounts.controlAccountId,
    baseMinor: controlBaseMinor,
    currency,
    amountMinor: controlMinor,
    contactId: document.contactId,
    openItemId: document.id,
    taxCodeId: null,
    description: null,
  }
  const lines = withResidual(others, -controlBaseMinor).map((part) => ({
    ...part,
    currency,
    contactId: document.contactId,
    openItemId: null,
  }))
  return { controlMinor, controlBaseMinor, lines: tidyLines([control, ...lines]) }
}

type Part = Pick<JournalLine, 'accountId' | 'taxCodeId' | 'description' | 'amountMinor'>

// Each line's net, and the tax of each code as one for each account, in the order of the lines.
function otherParts(document: DocumentToPost, accounts: PostingAccounts): Part[] {
  const nets = document.lines.map((line) => ({
    accountId: assertDefined(line.accountId, 'a line without an account is posted'),
    taxCodeId: line.taxCodeId,
    description: [...line.description].slice(0, descriptionMax).join(''),
    amountMinor: line.netMinor,
  }))
  const taxes = new Map<string, Part>()
  for (const { taxCodeId, taxes: ofLine, taxMinor } of document.lines) {
    if (taxCodeId === null) continue
    const sumMinor = ofLine.reduce((sum, tax) => sum + tax.taxMinor, 0n)
    assert(sumMinor === taxMinor, 'a line whose taxes are not its tax')
    const accountIds = accounts.taxAccountIds.get(taxCodeId)
    for (const [index, tax] of ofLine.entries()) {
      const accountId = assertDefined(accountIds?.[index], 'a tax without an account')
      const key = `${taxCodeId} ${accountId}`
      const amountMinor = (taxes.get(key)?.amountMinor ?? 0n) + tax.taxMinor
      taxes.set(key, { accountId, taxCodeId, description: null, amountMinor })
    }
  }
  return [...nets, ...taxes.values()]
}

type BasePart = Part & { readonly baseMinor: bigint }

// The first one among equals.
function withResidual(parts: readonly BasePart[], wantedMinor: bigint): BasePart[] {
  const sumMinor = parts.reduce((sum, part) => sum + part.baseMinor, 0n)
  const residualMinor = wantedMinor - sumMinor
  if (residualMinor === 0n) return [...parts]
  const largest = parts.reduce((one, other) => (size(other) > size(one) ? other : one))
  return parts.map((part) =>
    part === largest ? { ...part, baseMinor: part.baseMinor + residualMinor } : part,
  )
}

function size({ baseMinor }: BasePart): bigint {
  return baseMinor < 0n ? -baseMinor : baseMinor
}
