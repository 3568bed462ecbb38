// The input of an operation as `cli books operations` and docs/books.md show it.
import { z } from 'zod'
import { bareSchema, outerName } from '../../kernel/operations/outer-names.ts'

// The longest enumeration that is written out.
const shownValuesMax = 9

// Such as `name, [email, components: [{name, rate, [is_compound]}]]`. Optional fields are in
// brackets.
export function inputText(input: z.core.$ZodType): string {
  const bare = bareSchema(input)
  if (!(bare instanceof z.ZodObject)) return ''
  const fields = Object.entries(bare.shape).map(([name, field]) => ({
    text: `${outerName(name)}${detailText(field)}`,
    isOptional: z.safeParse(field, undefined).success,
  }))
  const required = fields.filter(({ isOptional }) => !isOptional).map(({ text }) => text)
  const optional = fields.filter(({ isOptional }) => isOptional).map(({ text }) => text)
  const inBrackets = optional.length > 0 ? [`[${optional.join(', ')}]`] : []
  return [...required, ...inBrackets].join(', ')
}

function detailText(field: z.core.$ZodType): string {
  const bare = bareSchema(field)
  if (bare instanceof z.ZodArray) {
    const part = inputText(bare.element)
    return part === '' ? ' (a list)' : `: [{${part}}]`
  }
  if (!(bare instanceof z.ZodEnum) || bare.options.length > shownValuesMax) return ''
  return ` (${bare.options.join(', ')})`
}
