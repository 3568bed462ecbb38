// Where the account and the tax of a line come from if the line names none: its item, then the
// contact, then the organisation. An unusable default is skipped.
export type DefaultOrigin = 'item' | 'contact' | 'organisation'

export type LineDefault = { readonly id: string; readonly origin: DefaultOrigin }

export function lineDefault(
  values: Readonly<Record<DefaultOrigin, string | null | undefined>>,
  isUsable: (id: string) => boolean,
): LineDefault | undefined {
  for (const origin of ['item', 'contact', 'organisation'] as const) {
    const id = values[origin]
    if (id && isUsable(id)) return { id, origin }
  }
  return undefined
}
