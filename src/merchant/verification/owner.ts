// A beneficial owner: a person who owns part of the business or controls it.
import { type FieldProblems, readLine } from './form-values.ts'

export type Owner = {
  readonly id: string
  readonly name: string
  // YYYY-MM-DD.
  readonly bornOn: string
  // Hundredths of a percent.
  readonly shareBasisPoints: number
}

export type OwnerFields = Omit<Owner, 'id'>
export type OwnerName = 'name' | 'bornOn' | 'share'

// The associated data of an encrypted date of birth.
export function ownerRow(ownerId: string): string {
  return `merchant.beneficial_owners/${ownerId}`
}

// At most four people can own 25 %; the rest is for people in charge.
export const ownersMax = 10
export const wholeBasisPoints = 10_000

const nameMax = 160
const ageMin = 18
// An older date of birth is a mistyped year.
const ageMax = 120

export function readOwner(
  form: URLSearchParams,
  today: Date,
  othersBasisPoints: number,
): OwnerFields | FieldProblems<OwnerName> {
  const problems: FieldProblems<OwnerName> = { problems: {} }
  const missing = 'Enter the full name as it appears in the passport or identity card.'
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
  if (!isDay(text)) return 'Enter the date of birth as year, month and day, such as 1980-12-31.'
  if (text > yearsBefore(today, ageMin)) return `An owner must be at least ${ageMin} years old.`
  if (text < yearsBefore(today, ageMax)) return 'Check the year of birth.'
  return undefined
}

// `2001-02-30` looks like a day but does not exist.
function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

// As text, which sorts like days do, also for 29 February.
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
  if (share === undefined) return 'Enter the share in percent, such as 25 or 33.33.'
  if (share > wholeBasisPoints) return 'A share is at most 100 %.'
  if (share + others <= wholeBasisPoints) return undefined
  const left = sharePercent(wholeBasisPoints - others)
  return `All shares together are at most 100 %; ${left} % is left.`
}

export function sharePercent(basisPoints: number): string {
  const text = String(basisPoints).padStart(3, '0')
  return `${text.slice(0, -2)}.${text.slice(-2)}`.replace(/\.?0+$/, '')
}
