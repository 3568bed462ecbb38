// A tax code: what is charged, in components. Its rates never change, since documents were made
// with them; another rate is another code. Retiring a code is making it inactive.
import { z } from 'zod'
import { Decimal, zeroDecimal } from '../../kernel/money/decimal.ts'
import { line, uuid } from '../../kernel/operations/schemas.ts'
import { decimalText } from '../input/decimal-text.ts'

export type TaxComponent = {
  readonly name: string
  // Decimal text, in percent.
  readonly rate: string
  // Charged on the net and all components before it, instead of on the net alone.
  readonly isCompound: boolean
}

export type TaxCode = {
  readonly id: string
  readonly name: string
  // Whether prices are meant with this tax inside.
  readonly isInclusive: boolean
  readonly components: readonly TaxComponent[]
  readonly accountId: string
  readonly active: boolean
  readonly createdAt: Date
}

const componentsMax = 5
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
        rate: decimalText(zeroDecimal, rateMax, ratePlacesMax),
        isCompound: z.boolean().default(false),
      }),
    )
    .min(1, { error: 'At least one component.' })
    .max(componentsMax, { error: `At most ${componentsMax} components.` }),
  // Where the tax is booked; the system's tax account by default.
  accountId: uuid().optional(),
})

export const taxCodeChanges = z.strictObject({
  name: line(80).optional(),
  accountId: uuid().optional(),
  active: z.boolean().optional(),
})

// Why a tax code may not be named, or nothing.
export function taxCodeProblem(code: Pick<TaxCode, 'active'> | undefined): string | undefined {
  if (!code) return 'No such tax code.'
  return code.active ? undefined : 'The tax code is not active.'
}

// Components as the database keeps them.
export type StoredComponent = {
  readonly name: string
  readonly rate: string
  readonly is_compound: boolean
}

export function readComponents(components: readonly StoredComponent[]): TaxComponent[] {
  return components.map(({ name, rate, is_compound }) => ({ name, rate, isCompound: is_compound }))
}

export function writeComponent({ name, rate, isCompound }: TaxComponent): StoredComponent {
  return { name, rate, is_compound: isCompound }
}
