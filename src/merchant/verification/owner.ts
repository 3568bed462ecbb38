// A beneficial owner: somebody to whom a part of the business belongs, or who controls it.
import { type FieldProblems, readLine } from './form-values.ts'

export type Owner = {
  readonly id: string
  readonly name: string
  // YYYY-MM-DD.
  readonly bornOn: string
  // Hundredths of a per cent, so that thirds can be written.
  readonly shareBasisPoints: number
}

export type OwnerFields = Omit<Owner, 'id'>
export type OwnerName = 'name' | 'bornOn' | 'share'

// What a sealed birthday is bound to.
export function ownerRow(ownerId: string): string {
  return `merchant.beneficial_owners/${ownerId}`
}

// Four people can own a quarter each; the others are those in control where nobody owns as much.
export const ownersMax = 10
export const wholeBasisPoints = 10_000

const nameMax = 160
const ageMin = 18
// Nobody is older than that; a year typed wrong often is.
const ageMax = 120

export function readOwner(
  form: URLSearchParams,
  today: Date,
  othersBasisPoints: number,
): OwnerFields | FieldProblems<OwnerName> {
  const problems: FieldProblems<OwnerName> = { problems: {} }
  const missing = 'Type the full name as it stands in the passport or identity card.'
  const name = readLine(form, problems, { name: 'name', max: nameMax, missing })
  const bornOn = (form.get('bornOn') ?? '').trim()
  const birthProblem = birthdayProblem(bornOn, today)
  if (birthProblem !== undefined) problems.problems.bornOn = birthProblem
  const shareBasisPoints = readShare(form.get('share') ?? '')
  const shareProblem = checkShare(shareBasisPoints, othersBasisPoints)
  if (shareProblem !== undefined) problems.problems.share = shareProblem
  return Object.keys(problems.problems).length > 0
    ? problems
    : { name, bornOn, shareBasisPoints: shareBasisPoints ?? 0 }
}

function birthdayProblem(text: string, today: Date): string | undefined {
  if (!isDay(text)) return 'Type the date of birth as year, month and day, such as 1980-12-31.'
  if (text > yearsBefore(today, ageMin)) return `An owner must be at least ${ageMin} years old.`
  if (text < yearsBefore(today, ageMax)) return 'Check the year of birth.'
  return undefined
}

// `2001-02-30` has the form of a day and is none.
function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

// As text, which sorts as days do; the day that a leap year lacks is compared rightly too.
function yearsBefore(today: Date, years: number): string {
  const [year = '', ...rest] = today.toISOString().slice(0, 10).split('-')
  return [String(Number.parseInt(year, 10) - years).padStart(4, '0'), ...rest].join('-')
}

function readShare(text: string): number | undefined {
  const match = /^(\d{1,3})(?:[.,](\d{1,2}))?$/.exec(text.trim().replace(/\s*%$/, ''))
  if (!match?.[1]) return undefined
  return Number.parseInt(match[1], 10) * 100 + Number.parseInt((match[2] ?? '').padEnd(2, '0'), 10)
}

function checkShare(share: number | undefined, others: number): string | undefined {
  if (share === undefined) return 'Type the share in per cent, such as 25 or 33.33.'
  if (share > wholeBasisPoints) return 'A share is at most 100 per cent.'
  if (share + others <= wholeBasisPoints) return undefined
  const left = sharePercent(wholeBasisPoints - others)
  return `All shares together are at most 100 per cent: ${left} per cent are left.`
}

export function sharePercent(basisPoints: number): string {
  const text = String(basisPoints).padStart(3, '0')
  return `${text.slice(0, -2)}.${text.slice(-2)}`.replace(/\.?0+$/, '')
}
