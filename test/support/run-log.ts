// All log output of a test run, and every secret that was issued in it, collected in a directory
// that the global setup creates. At the end of the run, no log may contain any of the secrets.
import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const runLogVariable = 'TEST_RUN_LOG_DIR'

// Removed when the run is over, with whatever else its processes share.
export function runDirectory(): string {
  const path = process.env[runLogVariable]
  if (!path) throw new Error(`${runLogVariable} is not set: run the tests with \`npm test\``)
  return path
}

// An API key of any test.
const keyPattern = /\b(?:svc|acct)_(?:live|test)_[0-9A-Za-z]{60,}/g
const tokenPattern = /[0-9A-Za-z_+/=-]{8,}/g

export function keepLog(line: string): void {
  append('log', line.endsWith('\n') ? line : `${line}\n`)
}

export function handOut(...secrets: (string | undefined)[]): void {
  for (const secret of secrets) if (secret) append('secret', `${JSON.stringify(secret)}\n`)
}

// Of a process: what it logs is kept; what it prints for people may hold keys on purpose.
export function keepLogLines(output: string): void {
  for (const line of output.split('\n')) if (line.startsWith('{"level"')) keepLog(line)
}

// What it prints for people, once, is handed out: keys, and the secrets of the demo's people.
export function handOutPrinted(output: string): void {
  handOut(...(output.match(keyPattern) ?? []))
  for (const [, secret] of output.matchAll(/(?:password|TOTP secret) +(\S{16,})/gi)) handOut(secret)
}

// One line for each secret in a log, without showing more of either than is needed to find it.
export function findLeaks(directory: string): string[] {
  const files = readdirSync(directory)
  const secrets = new Set(
    files
      .filter((name) => name.startsWith('secret-'))
      .flatMap((name) => readFileSync(join(directory, name), 'utf8').split('\n'))
      .filter(Boolean)
      .map((line) => JSON.parse(line) as string),
  )
  // The rest is looked up word by word: searching for each would take as long as the tests.
  const phrases = [...secrets].filter((secret) => !/^[0-9A-Za-z_+/=-]{8,}$/.test(secret))
  return files
    .filter((name) => name.startsWith('log-'))
    .flatMap((name) => readFileSync(join(directory, name), 'utf8').split('\n'))
    .flatMap((line) => {
      const words = (line.match(tokenPattern) ?? []).flatMap((word) => [
        word,
        ...word.split(/[-_=/]/),
      ])
      const found = [
        ...words.filter((word) => secrets.has(word)),
        ...phrases.filter((phrase) => line.includes(phrase)),
        ...(line.match(keyPattern) ?? []),
      ]
      return [...new Set(found)].map((secret) => `${secret.slice(0, 12)}… is in: ${line}`)
    })
}

function append(kind: 'log' | 'secret', text: string): void {
  const directory = process.env[runLogVariable]
  if (directory) appendFileSync(join(directory, `${kind}-${process.pid}`), text)
}
