// Checks several fields that each can name an object: every named one must be usable.
import { invalidField } from '../../kernel/basics/fault.ts'

// By the name of the field that contains the id. Missing fields are not checked.
export type NamingFields = Readonly<Record<string, string | null | undefined>>

export async function requireNamed<Thing extends { readonly id: string }>(
  fields: NamingFields,
  listByIds: (ids: string[]) => Promise<readonly Thing[]>,
  problemOf: (thing: Thing | undefined) => string | undefined,
): Promise<void> {
  const named = Object.entries(fields).filter((field): field is [string, string] =>
    Boolean(field[1]),
  )
  if (named.length === 0) return
  const things = await listByIds(named.map(([, id]) => id))
  const byId = new Map(things.map((thing) => [thing.id, thing]))
  for (const [field, id] of named) {
    const problem = problemOf(byId.get(id))
    if (problem) throw invalidField(field, problem)
  }
}
