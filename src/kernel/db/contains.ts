// A pattern for `ilike` that finds the text anywhere, with nothing in it taken for a wildcard.
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
}
