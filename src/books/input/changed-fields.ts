// The requested fields that are given and differ from the current values.
export function changedFields<Noun extends object, Wanted extends Partial<Noun>>(
  noun: Noun,
  wanted: { [Field in keyof Wanted]: Wanted[Field] | undefined },
): { [Field in keyof Wanted]?: Exclude<Wanted[Field], undefined> } {
  const changes: { [Field in keyof Wanted]?: Exclude<Wanted[Field], undefined> } = {}
  for (const field of Object.keys(wanted) as (keyof Wanted & keyof Noun)[]) {
    const value = wanted[field]
    if (value === undefined || value === (noun[field] as unknown)) continue
    changes[field] = value as Exclude<Wanted[typeof field], undefined>
  }
  return changes
}
