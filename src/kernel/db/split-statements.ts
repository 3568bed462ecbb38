// Splits the text of a migration into its statements. They are sent one by one: a distributed
// database refuses a text of several that changes its tables.

// Comments, quoted texts and names, and bodies of functions may hold semicolons that end nothing.
const pieces = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|;/g

export function splitStatements(text: string): string[] {
  const statements: string[] = []
  let start = 0
  for (const { 0: piece, index } of text.matchAll(pieces)) {
    if (piece !== ';') continue
    statements.push(text.slice(start, index))
    start = index + 1
  }
  statements.push(text.slice(start))
  return statements.map((statement) => statement.trim()).filter(saysSomething)
}

function saysSomething(statement: string): boolean {
  return statement.replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, '').trim() !== ''
}
