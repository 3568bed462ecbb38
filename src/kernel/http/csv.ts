// CSV according to RFC 4180: cells separated by commas, lines ended by CR LF, quotes where needed.
// Spreadsheets run a cell that starts like a formula, so text from other people goes through
// `csvLine`. Numbers that we computed are written unchanged, since a quoted -5 would no longer be a
// number.

export const csvLineEnd = '\r\n'

// Characters that start a formula in a spreadsheet, including the wide forms of East Asian
// keyboards, or that are skipped before one. A quote in front makes the cell text.
const formulaStart = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
const needsQuotes = /[",\r\n]/

function csvText(text: string): string {
  const harmless = formulaStart.test(text) ? `'${text}` : text
  return needsQuotes.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

export function csvLine(texts: readonly string[]): string {
  return texts.map(csvText).join(',') + csvLineEnd
}

// The browser saves the file under this name instead of showing it.
export function csvHeaders(fileName: string): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="${fileName}"`,
  }
}
