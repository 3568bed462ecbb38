// Chooses the user that the embedded server runs as. PostgreSQL refuses to run as root, but many
// machines and containers start us as root. In a separate user namespace (`unshare --user`), the
// process does not count as root, while all files stay root's and stay in place. If namespaces are
// forbidden, or the process can't enter the directory (such as another user's home), the server
// runs as the owner of the directory, or as `nobody`.
//
// A directory keeps the identity that created it: its owner decides at every later start.
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { StartError } from '../basics/start-error.ts'

export type Identity = {
  // Put in front of the command, such as `unshare --user`.
  readonly prefix: readonly string[]
  // Set only if the process must change to another user.
  readonly user: { readonly uid: number; readonly gid: number } | undefined
}

export type IdentityOptions = {
  dataDir: string
  serverDir: string
  binary: string
  searchPath: string
}

const self: Identity = { prefix: [], user: undefined }
const ownNamespace: Identity = { prefix: ['unshare', '--user'], user: undefined }

export function chooseIdentity(options: IdentityOptions): Identity {
  const ourUid = process.getuid?.() ?? 0
  if (ourUid !== 0) return self
  const candidates = existsSync(options.serverDir)
    ? [identityOf(options.serverDir)]
    : freshIdentities(options.dataDir)
  for (const identity of candidates) {
    // The data directory is closed to others by default. The other user must at least be able to
    // pass through it.
    if (identity.user) allowPassage(options.dataDir)
    if (canRun(identity, options)) return identity
  }
  throw new StartError(
    'PostgreSQL does not run as root, and no other user can be used here: user namespaces ' +
      `(unshare --user) are forbidden, and no unprivileged user can enter ${options.dataDir} and ` +
      `run ${options.binary}. Start as an ordinary user, move the checkout and DATA_DIR to a ` +
      'directory that others can enter, or set DATABASE_URL to your own PostgreSQL server.',
  )
}

// Creates a directory that only the server can enter.
export function makePrivateDirectory(path: string, identity: Identity): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  chmodSync(path, 0o700)
  if (identity.user) chownSync(path, identity.user.uid, identity.user.gid)
}

function identityOf(serverDir: string): Identity {
  const { uid, gid } = statSync(serverDir)
  return uid === 0 ? ownNamespace : { prefix: [], user: { uid, gid } }
}

function freshIdentities(dataDir: string): Identity[] {
  const owners = [dataDir, dirname(dataDir)]
    .map((path) => statSync(path))
    .filter((stat) => stat.uid !== 0)
    .map(({ uid, gid }) => ({ prefix: [], user: { uid, gid } }))
  return [ownNamespace, ...owners, unprivileged()].filter((identity) => identity !== undefined)
}

function unprivileged(): Identity | undefined {
  const [uid, gid] = ['-u', '-g'].map((flag) => {
    const result = spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' })
    return result.status === 0 ? Number.parseInt(result.stdout, 10) : undefined
  })
  return uid !== undefined && gid !== undefined ? { prefix: [], user: { uid, gid } } : undefined
}

function allowPassage(dataDir: string): void {
  const mode = statSync(dataDir).mode & 0o777
  if ((mode & 0o001) === 0) chmodSync(dataDir, mode | 0o011)
}

// The process enters the directory itself: Node would enter it while still root.
function canRun(identity: Identity, { dataDir, binary, searchPath }: IdentityOptions): boolean {
  const [command = 'sh', ...rest] = [...identity.prefix, 'sh']
  const script = 'cd "$1" && "$2" --version'
  const result = spawnSync(command, [...rest, '-c', script, 'sh', dataDir, binary], {
    cwd: '/',
    env: { PATH: searchPath },
    stdio: 'ignore',
    ...identity.user,
  })
  return result.status === 0
}
