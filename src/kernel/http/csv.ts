// CSV as RFC 4180 describes it: cells parted by commas, lines ended by CR LF, and quotes around
// what would otherwise be read as either. People open such files in a spreadsheet, which runs a
// cell that starts like a formula: text that others wrote goes through `csvLine`. Numbers that we
// computed are written as they are, since a guarded -5 would be no number any more.

export const csvLineEnd = '\r\n'

// What a spreadsheet takes for the start of a formula, in the wide forms of East Asian keyboards
// too, or skips before one. A quote in front makes it text, as people type it there themselves.
const formulaStart = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
const needsQuotes = /[",\r\n]/

function csvText(text: string): string {
  const harmless = formulaStart.test(text) ? `'${text}` : text
  return needsQuotes.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

export function csvLine(texts: readonly string[]): string {
  return texts.map(csvText).join(',') + csvLineEnd
}

// A browser saves it under that name instead of showing it.
export function csvHeaders(fileName: string): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="${fileName}"`,
  }
}
