// Pure, and without the schemas, because the editor computes with it in the browser too.
import { assertDefined } from '../../kernel/basics/assert.ts'
import { add, Decimal, multiply, parseDecimal, zeroDecimal } from '../../kernel/money/decimal.ts'

const hundred = new Decimal(100n, 0)
const hundredth = new Decimal(1n, 2)

// What each component comes to, in percent of the net: a compound one is charged on those before it
// as well.
export function effectiveRates(
  components: readonly { readonly rate: string; readonly isCompound: boolean }[],
): Decimal[] {
  let before = zeroDecimal
  return components.map(({ rate, isCompound }) => {
    const own = assertDefined(parseDecimal(rate), 'a rate that is no number')
    const base = isCompound ? add(hundred, before) : hundred
    const effective = multiply(multiply(own, base), hundredth)
    before = add(before, effective)
    return effective
  })
}
