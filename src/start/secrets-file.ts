// The key that encrypts stored secrets if the operator has set none: created once, stored beside
// the embedded database, readable by its owner only.
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { parseSecretsRing } from '../kernel/auth/secrets.ts'
import type { Ids } from '../kernel/basics/id.ts'
import { StartError } from '../kernel/basics/start-error.ts'
import type { SecretsRing } from './setting-values.ts'

const keyBytes = 32

// Called before the database is created, so that a database without its key has lost it and is not
// new.
export function loadSecretsRing(dataDir: string, ids: Ids): SecretsRing {
  const file = join(dataDir, 'secrets.key')
  if (!existsSync(file)) {
    if (existsSync(join(dataDir, 'postgres'))) {
      throw new StartError(
        `${file} is missing, but the database beside it was encrypted with it. Restore the file ` +
          'from a backup, or set SECRETS_KEY to the key that was in it.',
      )
    }
    writeDurably(file, `1:${ids.randomBytes(keyBytes).toString('base64')}\n`)
  }
  const ring = parseSecretsRing(readFileSync(file, 'utf8').trim())
  if (!ring) throw new StartError(`${file} does not contain a key; restore it from a backup`)
  return ring
}

// Complete or not at all, even after a power cut.
function writeDurably(file: string, text: string): void {
  const unfinished = `${file}.unfinished`
  const descriptor = openSync(unfinished, 'w', 0o600)
  writeSync(descriptor, text)
  fsyncSync(descriptor)
  closeSync(descriptor)
  renameSync(unfinished, file)
}
