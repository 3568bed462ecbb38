// What an empty field takes over, and from where.
import type { DefaultOrigin, LineDefault } from '../../books/documents/line-defaults.ts'
import type { Lookup } from './lookups.ts'

const origins: Readonly<Record<DefaultOrigin, string>> = {
  item: 'from the item',
  contact: 'from the contact',
  organisation: 'from settings',
}

export function defaultText(found: LineDefault | undefined, lookup: Lookup<unknown>): string {
  return found ? lookup.labelOf(found.id) : ''
}

// Empty if the person typed something else, since nothing is taken over then.
export function originText(found: LineDefault | undefined, typed: string): string {
  return found && typed.trim() === '' ? origins[found.origin] : ''
}
