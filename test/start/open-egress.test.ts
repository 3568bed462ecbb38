import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { parseSettings } from '../../src/config.ts'
import { openEgress } from '../../src/start/open-egress.ts'
import { makeCertificate } from '../support/receiver.ts'

const open = (path: string) => openEgress(parseSettings({ WEBHOOK_CA_FILE: path }))

it('takes certificates that are trusted beside the usual ones', () => {
  expect(() => open(makeCertificate().path).close()).not.toThrow()
})

it('says which file cannot be read', () => {
  expect(() => open('/nowhere/ca.pem')).toThrow('WEBHOOK_CA_FILE: /nowhere/ca.pem cannot be read.')
})

it.each([
  ['no certificate', 'junk'],
  ['a broken one', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'],
])('refuses a file with %s', (_what, text) => {
  const directory = mkdtempSync(join(tmpdir(), 'tillbook-ca-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const path = join(directory, 'ca.pem')
  writeFileSync(path, text)
  expect(() => open(path)).toThrow(`WEBHOOK_CA_FILE: ${path} must contain certificates in PEM`)
})
