// A tax code: what is charged or withheld, in components. Its rates never change, since documents
// were made with them; another rate is another code. Retiring a code is making it inactive.
import { z } from 'zod'
import { add, compare, Decimal, zeroDecimal } from '../../kernel/money/decimal.ts'
import { line, uuid } from '../../kernel/operations/schemas.ts'
import { decimalText } from '../input/decimal-text.ts'
import { effectiveRates } from './effective-rates.ts'

export type TaxComponent = {
  readonly name: string
  // Decimal text, in percent.
  readonly rate: string
  // Charged on the net and all components before it, instead of on the net only.
  readonly isCompound: boolean
  // Where it is booked; null for the account of the code.
  readonly accountId: string | null
}

// What of it decides what a document comes to.
export type ChargedComponent = Omit<TaxComponent, 'accountId'>

export type TaxCode = {
  readonly id: string
  readonly name: string
  // Whether prices include this tax.
  readonly isInclusive: boolean
  readonly components: readonly TaxComponent[]
  readonly accountId: string
  readonly active: boolean
  readonly createdAt: Date
}

const componentsMax = 5
// What is negative is withheld: the customer pays it to the tax office instead.
const rateMin = new Decimal(-100n, 0)
const rateMax = new Decimal(100n, 0)
// Finer than any rate in use.
const ratePlacesMax = 6

export const taxCodeInput = z.strictObject({
  name: line(80),
  isInclusive: z.boolean().default(false),
  components: z
    .array(
      z.strictObject({
        name: line(80),
        rate: decimalText(rateMin, rateMax, ratePlacesMax),
        isCompound: z.boolean().default(false),
        accountId: uuid().optional(),
      }),
    )
    .min(1, { error: 'At least one component.' })
    .max(componentsMax, { error: `At most ${componentsMax} components.` })
    .refine(leavesSomething, { error: 'Together they must be more than -100 %.' }),
  // The account of the tax; the default is the system's tax account.
  accountId: uuid().optional(),
})

export const taxCodeChanges = z.strictObject({
  name: line(80).optional(),
  accountId: uuid().optional(),
  // One for each component, in their order; null for the account of the code.
  componentAccountIds: z.array(uuid().nullable()).max(componentsMax).optional(),
  active: z.boolean().optional(),
})

function leavesSomething(components: Parameters<typeof effectiveRates>[0]): boolean {
  return compare(effectiveRates(components).reduce(add, zeroDecimal), rateMin) > 0
}

// Why a tax code can't be named, or undefined.
export function taxCodeProblem(code: Pick<TaxCode, 'active'> | undefined): string | undefined {
  if (!code) return 'No such tax code.'
  return code.active ? undefined : 'The tax code is not active.'
}

// Components as stored in the database.
export type StoredComponent = {
  readonly name: string
  readonly rate: string
  readonly is_compound: boolean
  // Not there in those that earlier versions have written.
  readonly account_id?: string | null
}

export function readComponents(components: readonly StoredComponent[]): TaxComponent[] {
  return components.map(({ name, rate, is_compound, account_id }) => ({
    ...{ name, rate, isCompound: is_compound, accountId: account_id ?? null },
  }))
}

export function writeComponent(component: TaxComponent): StoredComponent {
  const { name, rate, isCompound, accountId } = component
  return { name, rate, is_compound: isCompound, account_id: accountId }
}

// The account of each component, in their order.
export function componentAccounts({
  components,
  accountId,
}: Pick<TaxCode, 'components' | 'accountId'>): string[] {
  return components.map((component) => component.accountId ?? accountId)
}

// Withheld tax is owed by the tax office, not to it. On the account of charged tax the two would
// become one amount, and neither could be told from the books any more.
export function withheldProblem(
  code: Pick<TaxCode, 'components' | 'accountId'>,
): string | undefined {
  const withheld = new Set(withheldAccounts(code))
  const charged = componentAccounts(code).filter((_, index) => !isWithheld(code, index))
  const isOwn =
    withheld.size === 0 || !charged.concat(code.accountId).some((id) => withheld.has(id))
  if (isOwn) return undefined
  return 'A component with a negative rate needs its own account (account_id).'
}

// The accounts of what customers withhold.
export function withheldAccounts(code: Pick<TaxCode, 'components' | 'accountId'>): string[] {
  return componentAccounts(code).filter((_, index) => isWithheld(code, index))
}

function isWithheld({ components }: Pick<TaxCode, 'components'>, index: number): boolean {
  return components[index]?.rate.startsWith('-') ?? false
}
