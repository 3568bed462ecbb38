// What an empty field takes over, and from where: `4000 Sales (from the item)`.
import type { DefaultOrigin, LineDefault } from '../../books/documents/line-defaults.ts'
import type { Lookup } from './lookups.ts'

const origins: Readonly<Record<DefaultOrigin, string>> = {
  item: 'from the item',
  contact: 'from the contact',
  organisation: 'usual',
}

export function defaultText(found: LineDefault | undefined, lookup: Lookup<unknown>): string {
  return found ? `${lookup.labelOf(found.id)} (${origins[found.origin]})` : ''
}
