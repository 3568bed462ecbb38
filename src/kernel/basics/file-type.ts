// Files from people. The first bytes of a file decide its type; its name and the type that the
// browser sends don't count.
import { isOneLine } from './one-line.ts'

export type FileType = 'application/pdf' | 'image/png' | 'image/jpeg'

const signatures: readonly (readonly [FileType, Buffer])[] = [
  ['application/pdf', Buffer.from('%PDF-')],
  ['image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff])],
]

export function fileTypeOf(bytes: Buffer): FileType | undefined {
  const found = signatures.find(([, start]) => bytes.subarray(0, start.length).equals(start))
  return found?.[0]
}

const fileNameMax = 100

// Shown to people. The end of a long name is kept, because most names differ there.
export function cleanFileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  const visible = [...last.toWellFormed()].filter(
    (character) => isOneLine(character) && !/\p{Cf}/u.test(character),
  )
  return visible.slice(-fileNameMax).join('').trim() || 'document'
}
