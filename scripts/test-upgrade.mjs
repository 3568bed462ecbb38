// Proves that an installation can go from another version to this one without a stop:
//
//   npm run test:upgrade -- COMMIT
//
// COMMIT is the version that runs now, any name that git knows, and no older than the newest
// migration that is not an expansion: across one, no version upgrades without a stop. Its packages
// must be those of this version, or be installed already. It takes about five minutes.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { environmentWithProject, fail, root, run } from './project.mjs'

const [commit] = process.argv.slice(2)
if (!commit) fail('Name the version that runs now: `npm run test:upgrade -- COMMIT`.')

const home = mkdtempSync(join(tmpdir(), 'tillbook-older-'))
let succeeded = false
try {
  const archive = join(home, 'older.tar')
  execFileSync('git', ['archive', `--output=${archive}`, commit], { cwd: root, stdio: 'inherit' })
  const older = join(home, 'tillbook')
  mkdirSync(older)
  execFileSync('tar', ['-xf', archive, '-C', older])
  symlinkSync(join(root, 'node_modules'), join(older, 'node_modules'))
  const build = [join(older, 'scripts', 'build.mjs'), '--no-check']
  const env = { ...environmentWithProject(), OLDER_HOME: older }
  succeeded = run('node', build, env) && run('vitest', ['run', 'test/fleet/upgrade.test.ts'], env)
} finally {
  rmSync(home, { recursive: true, force: true })
}
process.exit(succeeded ? 0 : 1)
