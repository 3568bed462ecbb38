// A draft can have lines without an account; a submitted, issued or approved document can't.
import { Fault } from '../../kernel/basics/fault.ts'
import type { DocumentLine } from './document.ts'

export function requireComplete(lines: readonly DocumentLine[]): void {
  const open = lines.filter((line) => line.accountId === null)
  if (open.length === 0) return
  const which = open.map(({ position }) => position).join(', ')
  const message = `${open.length === 1 ? 'Line' : 'Lines'} ${which} without an account. Choose one.`
  throw new Fault('conflict', message)
}
