// The fact of a journal entry in words: `invoice.issued` becomes “Invoice issued”.
export function entryKindText(kind: string): string {
  const text = kind.replaceAll(/[._]/g, ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
