// The output of commands for programs, and how commands end if the output is closed early.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { installation } from '../support/cli.ts'
import { checkout, startCli } from '../support/processes.ts'
import { handOutPrinted } from '../support/run-log.ts'
import { totp } from '../support/totp.ts'

type Ended = { status: number; stdout: string; stderr: string }

// As typed into a shell that tells of every part of a pipe.
function shell(env: Record<string, string>, line: string): Promise<Ended> {
  const command = `"${process.execPath}" "${join(checkout, 'dist/cli/main.js')}"`
  const script = line.replace('cli', command)
  const options = { env: { PATH: process.env.PATH, ...env }, cwd: checkout }
  return new Promise((settle) => {
    execFile(
      'bash',
      ['--norc', '-o', 'pipefail', '-c', script],
      options,
      (error, stdout, stderr) => {
        settle({ status: Number(error?.code ?? 0), stdout, stderr })
      },
    )
  })
}

describe('a reader who has seen enough', () => {
  test.each([
    ['verify', 'cli verify | head -n 1', /^ok {6}I1\.1 .*\n$/],
    ['books verify', 'cli books verify | head -n 1', /^ok .*\n$/],
    ['verify --json', 'cli verify --json | true', /^$/],
    ['books operations', 'cli books operations | true', /^$/],
  ])('ends %s quietly and without a fault', async (_, line, printed) => {
    const { env } = await installation()
    const { status, stdout, stderr } = await shell(env, line)
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(printed)
  })

  test('ends a command whose output was closed before it wrote', async () => {
    const { env } = await installation()
    const command = startCli(env, 'verify')
    command.process.stdout?.destroy()
    expect(await command.ended).toBe(0)
    expect(command.stderr()).toBe('')
  })
})

test('demo --json has all that is shown to people, under names that stay', async () => {
  const { json } = await installation()
  const demo = await json('demo')
  handOutPrinted(JSON.stringify(demo))
  const person = {
    email: expect.stringMatching(/@demo\.example$/),
    password: expect.any(String),
    totp_secret: expect.any(String),
    otpauth_url: expect.any(String),
    backup_codes: Array(10).fill(expect.stringMatching(/^\w{5}-\w{5}$/)),
  }
  expect(demo).toEqual({
    business_id: expect.any(String),
    merchant: {
      base_url: 'https://pay.example.com/merchant/api/v1',
      live_key: expect.stringMatching(/^svc_live_/),
      test_key: expect.stringMatching(/^svc_test_/),
    },
    books: {
      base_url: 'https://pay.example.com/books/api/v1',
      key: expect.stringMatching(/^acct_live_/),
      read_key: expect.stringMatching(/^acct_live_/),
      test_key: expect.stringMatching(/^acct_test_/),
    },
    app: { url: 'https://pay.example.com', owner: person, approver: person },
  })
  const { email, totp_secret: secret, otpauth_url: address } = demo.app.owner
  const url = new URL(address)
  expect([url.protocol, url.host, url.pathname]).toEqual(['otpauth:', 'totp', `/Tillbook:${email}`])
  const at = new Date()
  expect(totp(url.searchParams.get('secret') ?? '', at)).toBe(totp(secret, at))
})
