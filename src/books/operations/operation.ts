// What people do and read in the books is called by its name, with JSON: what the application's
// pages and the CLI call. Each operation checks its input itself; the schema beside it says what
// there is to be said, and under which names.
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import {
  bareSchema,
  inward,
  outerName,
  outward,
  outwardFault,
} from '../../kernel/operations/outer-names.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { validated } from '../../kernel/operations/validate.ts'
import type { BooksContext } from '../context.ts'

export type OperationInput = Readonly<Record<string, unknown>>

export type BooksOperation = {
  readonly summary: string
  // With the names that are used inside.
  readonly input: z.ZodObject
  run(context: BooksContext, actor: Actor, input: OperationInput): Promise<unknown>
}

export function defineOperation<Shape extends z.ZodRawShape>(
  summary: string,
  input: z.ZodObject<Shape>,
  act: (
    context: BooksContext,
    actor: Actor,
    input: z.input<z.ZodObject<Shape>>,
  ) => Promise<unknown>,
): BooksOperation {
  return {
    summary,
    input,
    async run(context, actor, given) {
      const inner = inward(input, given) as z.input<z.ZodObject<Shape>>
      try {
        return outward(await act(context, actor, inner))
      } catch (error) {
        throw error instanceof Fault ? outwardFault(error) : error
      }
    },
  }
}

const named = z.looseObject({ id: uuid() })

// About the one thing that `id` names.
export function defineOperationOn<Shape extends z.ZodRawShape>(
  summary: string,
  input: z.ZodObject<Shape>,
  act: (
    context: BooksContext,
    actor: Actor,
    id: string,
    input: z.input<z.ZodObject<Shape>>,
  ) => Promise<unknown>,
): BooksOperation {
  const whole = z.strictObject({ id: uuid(), ...input.shape })
  return defineOperation(summary, whole, (context, actor, given) => {
    const { id, ...rest } = validated(named, given)
    return act(context, actor, id, rest as z.input<z.ZodObject<Shape>>)
  })
}

// Of enumerations, as many as are taken in at a glance.
const shownValuesMax = 9

// `name, [email, components: [{name, rate, [is_compound]}]]`: what may be left out is in brackets.
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
