// The commands, on a database of the test's own. `cli` and `runCli` run one in this process, which
// is quick; `spawnCli` starts the built command as an operator does.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { vi } from 'vitest'
import { runCli as runCommand } from '../../src/cli/run-cli.ts'
import { parseSettings } from '../../src/config.ts'
import { databaseForThisTest, type TestDatabase } from './database.ts'
import { checkout } from './processes.ts'
import { handOutPrinted, keepLogLines } from './run-log.ts'
import { secretsKeyOf } from './secrets-key.ts'

export type CliResult = { status: number; stdout: string; stderr: string }

export type Installation = {
  readonly database: TestDatabase
  readonly env: Record<string, string>
  cli(...args: string[]): Promise<CliResult>
  // Must succeed; answers what `--json` printed.
  // biome-ignore lint/suspicious/noExplicitAny: every command prints another shape
  json(...args: string[]): Promise<any>
}

export const keyOf = (version: number) => `${version}:${secretsKeyOf(version).toString('base64')}`

export async function installation(secretsKey = keyOf(1)): Promise<Installation> {
  const database = await databaseForThisTest()
  return installationOn(database, secretsKey)
}

export function installationOn(database: TestDatabase, secretsKey: string): Installation {
  const env = {
    DATABASE_URL: database.url,
    PUBLIC_URL: 'https://pay.example.com',
    SECRETS_KEY: secretsKey,
  }
  const cli = (...args: string[]) => runCli(env, ...args)
  return {
    database,
    env,
    cli,
    async json(...args) {
      const { status, stdout, stderr } = await cli(...args, '--json')
      if (status !== 0) throw new Error(`${args.join(' ')} ended (${status}): ${stderr}`)
      return JSON.parse(stdout)
    },
  }
}

export async function runCli(env: Record<string, string>, ...args: string[]): Promise<CliResult> {
  const stdout = captured(process.stdout)
  const stderr = captured(process.stderr)
  try {
    const status = await runCommand(args, () => parseSettings(env))
    return ended({ status, stdout: stdout.text(), stderr: stderr.text() })
  } finally {
    stdout.release()
    stderr.release()
  }
}

export function spawnCli(env: Record<string, string>, ...args: string[]): Promise<CliResult> {
  const command = [join(checkout, 'dist', 'cli', 'main.js'), ...args]
  return new Promise((settle, reject) => {
    const options = { env: { PATH: process.env.PATH, ...env }, cwd: checkout }
    execFile(process.execPath, command, options, (error, stdout, stderr) => {
      if (error && typeof error.code !== 'number') reject(error)
      else settle(ended({ status: Number(error?.code ?? 0), stdout, stderr }))
    })
  })
}

// Nothing that a command prints may be lost, and no two commands may print at once.
function captured(stream: NodeJS.WriteStream) {
  if (vi.isMockFunction(stream.write)) throw new Error('two commands run at once; use spawnCli')
  const chunks: Buffer[] = []
  const write = vi.spyOn(stream, 'write').mockImplementation((chunk, ...rest) => {
    chunks.push(Buffer.from(chunk))
    const done = rest.find((one) => typeof one === 'function')
    done?.()
    return true
  })
  return { text: () => Buffer.concat(chunks).toString('utf8'), release: () => write.mockRestore() }
}

function ended(result: CliResult): CliResult {
  keepLogLines(result.stdout)
  handOutPrinted(result.stdout)
  return result
}

export const newBusiness = [
  ...['businesses', 'create', '--name', 'Corner shop', '--country', 'NG', '--currency', 'NGN'],
  ...['--email', 'shop@example.com', '--owner-name', 'Ada Example'],
  ...['--owner-email', 'ada@example.com'],
]
