// A strict reader of CSV after RFC 4180: invalid CSV fails. It shares nothing with the code that it
// checks.
export function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at < text.length) {
    const isQuoted = text[at] === '"'
    const cell = (isQuoted ? /"((?:[^"]|"")*)"/y : /[^",\r\n]*/y) as RegExp
    cell.lastIndex = at
    const match = cell.exec(text)
    if (!match) throw new Error(`no cell at ${at}: ${text.slice(at, at + 50)}`)
    row.push(isQuoted ? (match[1] ?? '').replaceAll('""', '"') : match[0])
    at += match[0].length
    if (text[at] === ',') {
      at += 1
      if (at === text.length) throw new Error('a comma at the end of the file')
    } else if (text.startsWith('\r\n', at)) {
      at += 2
      rows.push(row)
      row = []
    } else throw new Error(`neither a comma nor a line end at ${at}: ${text.slice(at, at + 50)}`)
  }
  if (row.length > 0) throw new Error('the last line has no end')
  return rows
}

// Each line as an object by the names of the first.
export function csvRecords(text: string): Record<string, string>[] {
  const [names = [], ...rows] = parseCsv(text)
  return rows.map((row) => {
    if (row.length !== names.length) throw new Error(`${row.length} cells under ${names.length}`)
    return Object.fromEntries(names.map((name, index) => [name, row[index] ?? '']))
  })
}
