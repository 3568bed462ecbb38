// Sub-accounts: bank accounts that get a share of charges. The provider accepts no reference for
// them, but a bank account has one sub-account, by which it is found again.
import { hasMore, read, readAll, unreadable, unsettled } from './flutterwave-answers.ts'
import type { FlutterwaveClient } from './flutterwave-client.ts'
import { isFields, textOf } from './flutterwave-fields.ts'
import { platformShare } from './platform-share.ts'
import type { BankAccount, Outcome, SubaccountFact, SubaccountInstruction } from './provider.ts'

const nameLengthMax = 100

// Only ends a provider that never says "last page".
const pagesMax = 100

export async function createSubaccount(
  client: FlutterwaveClient,
  instruction: SubaccountInstruction,
): Promise<Outcome<SubaccountFact>> {
  const body = {
    account_bank: instruction.bankCode,
    account_number: instruction.accountNumber,
    // Our name may be longer. Only the provider's staff sees it.
    business_name: shortened(instruction.name),
    business_mobile: instruction.mobile,
    country: instruction.country,
    split_type: 'percentage',
    split_value: platformShare(instruction.recipientPercent),
    meta: [{ meta_name: 'reference', meta_value: instruction.reference }],
  }
  const hidden = [instruction.accountNumber]
  const answer = await client({ method: 'POST', path: '/subaccounts', body, hidden })
  const made = read(answer, ({ data }) => readSubaccount(data))
  if (made.kind !== 'success' || isOf(made.value, instruction)) return made
  return unreadable('a sub-account of another bank account')
}

// The whole list is compared here: if the provider ignored a filter, we must neither adopt another
// merchant's account nor miss ours on a later page.
export async function findSubaccount(
  client: FlutterwaveClient,
  account: BankAccount,
): Promise<Outcome<SubaccountFact | null>> {
  const { bankCode, accountNumber } = account
  for (let page = 1; page <= pagesMax; page += 1) {
    const query = { account_bank: bankCode, account_number: accountNumber, page: String(page) }
    const hidden = [accountNumber]
    const answer = await client({ method: 'GET', path: '/subaccounts', query, hidden })
    const listed = read(answer, (envelope) => {
      const all = readAll(envelope.data, readSubaccount)
      return all && { all, isLast: !hasMore(envelope, page, all.length) }
    })
    if (listed.kind !== 'success') return unsettled(listed)
    const ours = listed.value.all.find((one) => isOf(one, account))
    if (ours) return { kind: 'success', value: ours }
    if (listed.value.isLast) return { kind: 'success', value: null }
  }
  return unreadable(`more than ${pagesMax} pages of sub-accounts`)
}

// The provider counts UTF-16 units; no character is cut in half.
function shortened(name: string): string {
  let kept = ''
  for (const character of name) {
    if (kept.length + character.length > nameLengthMax) break
    kept += character
  }
  return kept
}

type ListedSubaccount = SubaccountFact & BankAccount

function readSubaccount(value: unknown): ListedSubaccount | undefined {
  if (!isFields(value)) return undefined
  const subaccountId = textOf(value, 'subaccount_id')
  const bankCode = textOf(value, 'account_bank')
  const accountNumber = textOf(value, 'account_number')
  if (!subaccountId || !bankCode || !accountNumber) return undefined
  return { subaccountId, bankCode, accountNumber, accountName: textOf(value, 'full_name') ?? null }
}

// The provider changes between text and number, which has no leading zeros.
function isOf(one: BankAccount, other: BankAccount): boolean {
  const plain = (text: string) => text.replace(/^0+/, '')
  return (
    plain(one.bankCode) === plain(other.bankCode) &&
    plain(one.accountNumber) === plain(other.accountNumber)
  )
}
