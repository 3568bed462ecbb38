// Questions whose answers are secrets: they are not shown while they are typed, and cannot be
// given as options, which other users of the machine could see.
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { UsageError } from './command.ts'

// At a terminal each is asked for; otherwise standard input has one answer a line.
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
