// The details of a business, and how they are read from a form.
import { type FieldProblems, readLine } from './form-values.ts'

export const businessKinds = {
  sole_trader: 'Sole trader',
  partnership: 'Partnership',
  company: 'Company',
  non_profit: 'Charity or other non-profit',
} as const
export type BusinessKind = keyof typeof businessKinds

export type Details = {
  readonly legalName: string
  readonly kind: BusinessKind
  // Null for a sole trader without one.
  readonly registrationNumber: string | null
  readonly street: string
  readonly city: string
  readonly activity: string
}

const fields = {
  legalName: { max: 160, missing: 'Enter the name as it appears in the register.' },
  registrationNumber: { max: 50, missing: 'Enter the registration number.' },
  street: { max: 200, missing: 'Enter the street and number of the business.' },
  city: { max: 100, missing: 'Enter the town or city.' },
  activity: { max: 300, missing: 'Describe in a few words what the business sells or does.' },
} as const
type LineName = keyof typeof fields
export type DetailName = LineName | 'kind'

export function detailLengthMax(name: LineName): number {
  return fields[name].max
}

export function readDetails(form: URLSearchParams): Details | FieldProblems<DetailName> {
  const problems: FieldProblems<DetailName> = { problems: {} }
  const line = (name: LineName) => readLine(form, problems, { name, ...fields[name] })
  const kind = Object.keys(businessKinds).find((known) => known === form.get('kind'))
  if (kind === undefined) problems.problems.kind = 'Choose the kind of business.'
  const mayLackNumber = kind === 'sole_trader' && !form.get('registrationNumber')?.trim()
  const details = {
    legalName: line('legalName'),
    kind: kind as BusinessKind,
    registrationNumber: mayLackNumber ? null : line('registrationNumber'),
    street: line('street'),
    city: line('city'),
    activity: line('activity'),
  }
  return Object.keys(problems.problems).length > 0 ? problems : details
}
