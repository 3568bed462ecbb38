// Installed as receivers install it: from the tarball of the small package, and from a checkout
// folder.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkout, temporaryDirectory } from '../support/processes.ts'

const built = join(checkout, 'dist', 'webhook-receiver')

const program = `
import { receiveWebhook, signWebhook, verifyWebhook, WebhookError } from 'tillbook/webhooks'
const secret = 'whsec_for_this_test'
const { headers, body } = signWebhook({ service: 'books', type: 'test.ping', data: {} }, secret)
const event = verifyWebhook(body, headers, secret)
let refused
try { verifyWebhook(JSON.parse(body), headers, secret) } catch (error) { refused = error }
console.log(JSON.stringify([event.type, refused instanceof WebhookError, typeof receiveWebhook]))
`
const typedProgram = `
import { receiveWebhook, type WebhookEvent } from 'tillbook/webhooks'
export async function feeOf(request: Request, secret: string): Promise<number> {
  const event: WebhookEvent = await receiveWebhook(request, secret)
  if (event.type === 'payment.succeeded') return event.data.fee_amount
  // @ts-expect-error: only payments have a fee
  return event.data.fee_amount
}
`

describe.each(['tarball', 'folder'])('installed from a %s', { tags: ['long'] }, (from) => {
  it('runs, brings its types, and nothing else', () => {
    const folder = temporaryDirectory()
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
    if (from === 'tarball') installTarball(folder)
    else linkCheckout(folder)
    writeFileSync(join(folder, 'program.js'), program)
    const run = (command: string, ...args: string[]) =>
      execFileSync(command, args, { cwd: folder, encoding: 'utf8' })
    expect(JSON.parse(run(process.execPath, 'program.js'))).toEqual(['test.ping', true, 'function'])
    const required = "console.log(typeof require('tillbook/webhooks').verifyWebhook)"
    expect(run(process.execPath, '--input-type=commonjs', '-e', required).trim()).toBe('function')
    writeFileSync(join(folder, 'program.ts'), typedProgram)
    const options = ['--strict', '--noEmit', '--module', 'nodenext', '--types', '']
    run(join(checkout, 'node_modules/.bin/tsc'), ...options, '--lib', 'es2022,dom', 'program.ts')
  })
})

it('is a package without dependencies, of the version of the whole', () => {
  const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
  const [own, whole] = [read(join(built, 'package.json')), read(join(checkout, 'package.json'))]
  expect(own).toMatchObject({ name: whole.name, version: whole.version, license: whole.license })
  expect(Object.keys(own).filter((key) => /dependencies/i.test(key))).toEqual([])
})

function installTarball(folder: string): void {
  const npm = (...args: string[]) =>
    execFileSync('npm', [...args, '--offline', '--loglevel=error'], {
      cwd: folder,
      encoding: 'utf8',
    })
  const name = npm('pack', built).trim().split('\n').at(-1) ?? ''
  npm('install', `./${name}`)
  const modules = join(folder, 'node_modules')
  expect(readdirSync(modules).filter((one) => !one.startsWith('.'))).toEqual(['tillbook'])
  const files = readdirSync(join(modules, 'tillbook'))
  expect(files).toContain('webhooks.d.ts')
  expect(
    files.filter((one) => !/^(package\.json|[\w-]+(\.d\.ts|\.js|\.js\.map))$/.test(one)),
  ).toEqual([])
}

// What npm does with a folder.
function linkCheckout(folder: string): void {
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(checkout, join(folder, 'node_modules', 'tillbook'))
}
