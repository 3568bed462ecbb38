// @module-tag long
// Pastes the lines of README.md and docs/api.md into a shell, in order, like a new user. Only the
// address, a port and a file name are replaced, because they may be in use on this machine.
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  checkout,
  freePort,
  preparedDataDirectory,
  startService,
  temporaryDirectory,
} from '../support/processes.ts'
import { handOutPrinted } from '../support/run-log.ts'

const readme = readFileSync(join(checkout, 'README.md'), 'utf8')
const [firstSteps = ''] = readme.split('## Tests')
const moreExamples = readFileSync(join(checkout, 'docs/api.md'), 'utf8')
const blocks = [...`${firstSteps}\n${moreExamples}`.matchAll(/^```sh\n(.*?)^```$/gms)].map(
  ([, text = '']) => text,
)

test('every line works when it is pasted, in their order', async () => {
  expect(blocks[0]).toBe('npm start\n')
  const dataDir = await preparedDataDirectory()
  const service = await startService({ env: { DATA_DIR: dataDir, DEMO: 'on' } })
  await service.until('Try it:')
  const pdf = join(temporaryDirectory(), 'invoice.pdf')
  const hookPort = String(await freePort())
  const ours = (text: string) =>
    text
      .replaceAll('http://127.0.0.1:4000', service.url)
      .replaceAll('invoice.pdf', `'${pdf}'`)
      .replaceAll('3000', hookPort)
  const terminal = openTerminal({ DATA_DIR: dataDir })

  let paid = 0
  for (const block of blocks.slice(1)) {
    if (block.includes('--forward-to')) {
      await listenAndTrigger(ours(block), { DATA_DIR: dataDir })
      continue
    }
    if (block.includes('/payouts')) paid += await payLink(lastLink(terminal.printed()))
    const printed = await terminal.paste(ours(block))
    if (block.includes('/payment-links')) paid += await payLink(lastLink(printed))
    if (block.includes('/refund')) {
      expect(printed).toMatch(/"amount":450000,"currency":"NGN","status":"refunded"/)
    }
    if (block.includes('/payouts')) expect(printed).toMatch(/"payoutId":.*"status":"(proc|compl)/)
  }
  expect(paid).toBe(2)
  expect(readFileSync(pdf).subarray(0, 5).toString()).toBe('%PDF-')
})

// An interactive shell. A line that fails in it fails the test.
function openTerminal(env: Record<string, string>) {
  const bash = started('bash', ['--norc', '-o', 'pipefail'], env)
  let all = ''
  return {
    printed: () => all,
    async paste(text: string): Promise<string> {
      // `set -e` fails the test on any line, and on a failing command inside $(…).
      bash.process.stdin?.write(`set -e\n${text}\nset +e; echo; echo "pasted: done"\n`)
      const from = bash.stdout().length
      await bash.until(() => bash.stdout().slice(from).includes('pasted: done'), text)
      const printed = bash.stdout().slice(from)
      // curl exits with 0 for an error response, so look for the code of an error body.
      expect([text, printed]).toEqual([text, expect.not.stringMatching(/"code":"[a-z_]+","req/)])
      expect([text, printed]).toEqual([text, expect.not.stringMatching(/^undefined$/m)])
      all += printed
      return printed
    },
  }
}

// Runs the three lines that go into three terminals.
async function listenAndTrigger(block: string, env: Record<string, string>): Promise<void> {
  const [program = '', listening = '', trigger = ''] = block.trim().split('\n')
  const own = started('bash', ['--norc', '-c', program], env)
  const listener = started('bash', ['--norc', '-c', listening], env)
  await listener.until(() => listener.stdout().includes('Forwarding to'), listening)
  const made = started('bash', ['--norc', '-c', trigger], env)
  await listener.until(() => listener.stdout().includes('200 in'), listening)
  // The receiver may print before or after the forwarder.
  await own.until(() => own.stdout().includes('"type":"payment.succeeded"'), program)
  expect(await made.ended).toBe(0)
}

function started(command: string, args: string[], env: Record<string, string>) {
  const options = { cwd: checkout, env: { PATH: process.env.PATH, ...env }, detached: true }
  const child: ChildProcess = spawn(command, args, { ...options, stdio: 'pipe' })
  const output = { stdout: '', stderr: '' }
  child.stdout?.on('data', (chunk: Buffer) => {
    output.stdout += chunk.toString('utf8')
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    output.stderr += chunk.toString('utf8')
  })
  let status: number | string | undefined
  const ended = new Promise<number | string>((settle) => {
    child.once('close', (code, signal) => {
      status = code ?? signal ?? 'unknown'
      handOutPrinted(output.stdout)
      settle(status)
    })
  })
  onTestFinished(async () => {
    if (status === undefined && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    await ended
  })
  return {
    process: child,
    ended,
    stdout: () => output.stdout,
    async until(isThere: () => boolean, what: string): Promise<void> {
      while (!isThere()) {
        if (status !== undefined) throw new Error(`${what} ended (${status}): ${output.stderr}`)
        await new Promise((settle) => setTimeout(settle, 20))
      }
    },
  }
}

function lastLink(printed: string): string {
  const urls = [...printed.matchAll(/"url":"([^"]+)"/g)].map(([, url = '']) => url)
  return urls.at(-1) ?? 'no link was made'
}

// Pays a link as the README asks the reader to do in a browser, with a card that needs no PIN.
async function payLink(url: string): Promise<number> {
  const { origin } = new URL(url)
  const post = (to: string, form: Record<string, string>) =>
    fetch(to, {
      method: 'POST',
      headers: { origin },
      body: new URLSearchParams(form),
      redirect: 'manual',
    })
  const handedOver = await post(url, { email: 'payer@example.com' })
  const page = new URL(handedOver.headers.get('location') ?? '', url).href
  const html = await (await fetch(page)).text()
  const attempts = /name="attempts" value="(\w+)"/.exec(html)?.[1] ?? ''
  const paid = await post(`${page}/card`, { attempts, card: '5061460166976054667' })
  const back = await fetch(new URL(paid.headers.get('location') ?? '', url))
  expect(await back.text()).toMatch(/paid/i)
  return 1
}
