// Turns the server's log of one transaction into a script for pgbench, so that the baseline always
// runs the current statements. Values stay the same except ids: they end in a number, which becomes
// a variable.
import { readFileSync } from 'node:fs'

type Statement = { text: string; parameters: string[] }

// `variables` names the pgbench variable for each ending of an id that changes between charges.
export function pgbenchScript(logFile: string, variables: Record<string, string>): string {
  const statements = lastTransaction(readFileSync(logFile, 'utf8'))
  return [
    '\\set done :done + 1',
    '\\set payment :first + :client_id * :each + :done',
    '\\set business :payment % :businesses',
    ...statements.map((statement) => `${fillIn(statement, variables)};`),
    '',
  ].join('\n')
}

// A line of the log continues in lines that start with a tab.
const logLine = /^\S+ \S+ UTC \[\d+\] (LOG|DETAIL): {2}((?:.*)(?:\n\t.*)*)/gm

function lastTransaction(log: string): Statement[] {
  const statements: Statement[] = []
  for (const [, kind, message = ''] of log.matchAll(logLine)) {
    const text = /^(?:execute [^:]+|statement): ([\s\S]+)$/.exec(message)?.[1]?.trim()
    if (kind === 'LOG' && text !== undefined) statements.push({ text, parameters: [] })
    const parameters = /^[Pp]arameters: ([\s\S]*)$/.exec(message)?.[1]
    const last = statements.at(-1)
    if (kind === 'DETAIL' && parameters !== undefined && last) last.parameters = split(parameters)
  }
  const begin = statements.findLastIndex(({ text }) => text === 'begin')
  const end = statements.findLastIndex(({ text }) => text === 'commit')
  if (begin < 0 || end < begin) throw new Error('the log shows no transaction')
  return statements.slice(begin, end + 1)
}

function split(parameters: string): string[] {
  return [...parameters.matchAll(/\$\d+ = ('(?:[^']|'')*'|NULL)(?:, |$)/g)].map(
    ([, value = '']) => value,
  )
}

function fillIn({ text, parameters }: Statement, variables: Record<string, string>): string {
  return text.replaceAll(/\$(\d+)/g, (_match, position: string) => {
    const value = parameters[Number(position) - 1]
    if (value === undefined) throw new Error(`no value for $${position} of ${text}`)
    const [, prefix, number] = /^'([0-9a-f-]{24})(\d{12})'$/.exec(value) ?? []
    const variable = variables[number ?? '']
    if (variable) return `('${prefix}' || lpad(:${variable}, 12, '0'))::uuid`
    // pgbench sees a variable after every colon, even inside text.
    return value.startsWith("'")
      ? `E${value.replaceAll('\\', '\\\\').replaceAll(':', '\\x3a')}`
      : value
  })
}
