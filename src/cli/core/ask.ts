// Asks for secrets. They are not shown while typed, and are never options, which other users of the
// machine could read.
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { UsageError } from './command.ts'

// At a terminal, asks each question; otherwise reads one answer per line from standard input.
export async function askSecrets(questions: readonly string[]): Promise<string[]> {
  const isTerminal = process.stdin.isTTY === true
  const lines = createInterface({
    input: process.stdin,
    output: new Writable({ write: (_chunk, _encoding, done) => done() }),
    terminal: isTerminal,
  })
  const typed = lines[Symbol.asyncIterator]()
  const answers: string[] = []
  try {
    for (const question of questions) {
      if (isTerminal) process.stderr.write(`${question}: `)
      const { value, done } = await typed.next()
      if (isTerminal) process.stderr.write('\n')
      if (done) throw new UsageError(`no answer to "${question}"`)
      answers.push(String(value).trim())
    }
  } finally {
    lines.close()
  }
  return answers
}
