// Debian's ledger, hledger and beancount as readers of an exported journal: each reports the
// postings it read, and refuses what it does not understand.
import { execFile } from 'node:child_process'
import type { ExportFormat } from '../../src/books/export/journal-text.ts'

// `2026-01-31 Assets:1000-Bank-Account 310.00 EUR`, amounts at what they cost in the base currency,
// sorted.
export async function postingsRead(format: ExportFormat, journal: string): Promise<string[]> {
  const lines = (await readers[format](journal)).split('\n').filter((line) => line !== '')
  return lines.toSorted()
}

const readers: Readonly<Record<ExportFormat, (journal: string) => Promise<string>>> = {
  ledger: (journal) =>
    run(
      'ledger',
      ['-f', '-', 'register', '-B', '--date-format', '%Y-%m-%d', ...ledgerFormat],
      journal,
    ),
  hledger: async (journal) => {
    const output = await run('hledger', ['-f', '-', 'register', '-B', '-O', 'csv'], journal)
    return output
      .split('\n')
      .slice(1)
      .filter((line) => line !== '')
      .map(hledgerPosting)
      .join('\n')
  },
  beancount: (journal) => run('/usr/bin/python3', ['-c', beancountReader], journal),
}

const ledgerFormat = ['--format', '%(date) %(account) %(scrub(display_amount))\n']

// The columns are txnidx, date, code, description, account, amount, total. Only the description may
// hold a quote, and those after it are our own.
function hledgerPosting(line: string): string {
  const date = /^"\d+","([^"]*)"/.exec(line)?.[1]
  const [, account, amount] = /"([^"]*)","([^"]*)","[^"]*"$/.exec(line) ?? []
  return `${date} ${account} ${amount}`
}

// Debian's own Python has it, whatever other Python is first in the path.
const beancountReader = `
import sys
from beancount import loader
from beancount.core import convert, data
entries, errors, _ = loader.load_string(sys.stdin.read())
for error in errors:
    sys.exit(error.message)
for entry in data.filter_txns(entries):
    for posting in entry.postings:
        weight = convert.get_weight(posting)
        print(entry.date, posting.account, f'{weight.number:.2f}', weight.currency)
`

function run(program: string, args: readonly string[], input: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { maxBuffer: 2 ** 28, env: { ...process.env, LC_ALL: 'C.UTF-8' } }
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      if (error || stderr !== '')
        reject(new Error(`${program} refused: ${stderr}`, { cause: error }))
      else resolve(stdout)
    })
    child.stdin?.end(input)
  })
}
