// Pages of a list, newest first: the cursor is the id of the last object.
import { z } from 'zod'
import { describedAs, uuid } from '../kernel/operations/schemas.ts'

const limitMax = 100
export const limitDefault = 20

// Of an operation.
export const pageInput = {
  limit: z.int().min(1).max(limitMax).default(limitDefault),
  startingAfter: uuid().optional(),
}

// Of a route.
export const pageQuery = {
  limit: describedAs(
    z
      .string()
      .regex(/^\d{1,3}$/, { error: `Must be a whole number from 1 to ${limitMax}.` })
      .transform((text) => Number.parseInt(text, 10))
      .refine((value) => value >= 1 && value <= limitMax, {
        error: `Must be a whole number from 1 to ${limitMax}.`,
      })
      .optional(),
    { type: 'integer', minimum: 1, maximum: limitMax, default: limitDefault },
  ),
  starting_after: uuid().optional().meta({ description: 'The `next_cursor` of the page before.' }),
}

export const pageDescription =
  'Pass `next_cursor` as `starting_after` to read on. `has_more` is true when the page was ' +
  'full, so a full last page is followed by an empty one. Stop when `data` is empty or ' +
  '`next_cursor` is null.'

export function pageSchema<Item extends z.ZodType>(item: Item) {
  return z.object({
    data: z.array(item),
    has_more: z.boolean(),
    next_cursor: z.uuid().nullable(),
  })
}

export type Page<Item> = {
  readonly items: readonly Item[]
  // Where to read on; null on the last page.
  readonly nextCursor: string | null
}

export function pageOf<Item extends { readonly id: string }>(
  items: readonly Item[],
  limit: number,
): Page<Item> {
  return { items, nextCursor: items.length === limit ? (items.at(-1)?.id ?? null) : null }
}

export function presentPage(data: readonly unknown[], { nextCursor }: Page<unknown>) {
  return { data, has_more: nextCursor !== null, next_cursor: nextCursor }
}
