// The files in a ZIP, read by unzip and not by the code that wrote it.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Throws if a checksum is wrong or a part is missing.
export function filesIn(zip: Uint8Array): Map<string, Buffer> {
  const directory = mkdtempSync(join(tmpdir(), 'tillbook-zip-'))
  try {
    const archive = join(directory, 'a.zip')
    const into = join(directory, 'files')
    writeFileSync(archive, zip)
    execFileSync('unzip', ['-tq', archive])
    execFileSync('unzip', ['-q', archive, '-d', into])
    return new Map(readdirSync(into).map((name) => [name, readFileSync(join(into, name))]))
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
