// From an empty database on a Citus coordinator to a distributed one: migrates, distributes twice,
// creates the demo business, and checks every invariant. It runs the built commands, as an operator
// would. The rest of the tests does not run on a cluster yet.
//
//   CITUS_URL=postgres://user@coordinator/empty npm run test:cluster
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { fail, run } from './project.mjs'

const url = process.env.CITUS_URL
if (!url) {
  fail(
    'CITUS_URL is not set. `npm run test:cluster` needs the address of an empty database on a Citus\n' +
      'coordinator (PostgreSQL 15 or newer), in which the extension is created, the coordinator has\n' +
      'its host set and at least one worker is added. docs/scaling.md has the commands.',
  )
}

const client = new pg.Client({ connectionString: url })
await client.connect()
const { rows } = await client.query(`select to_regnamespace('kernel') is not null as used`)
await client.end()
if (rows[0].used) fail('the database of CITUS_URL is not empty: the test would write into it.')

const env = {
  ...process.env,
  DATABASE_URL: url,
  PUBLIC_URL: 'https://pay.example.com',
  SECRETS_KEY: `1:${randomBytes(32).toString('base64')}`,
}
const commands = [
  ['migrate'],
  ['distribute', '--check'],
  ['distribute'],
  // Nothing is left to do, and it says so.
  ['distribute'],
  ['demo', '--json'],
  ['verify'],
]
for (const command of commands) {
  console.log(`> cli ${command.join(' ')}`)
  if (!run(process.execPath, ['dist/cli/main.js', ...command], env)) {
    fail(`\`cli ${command.join(' ')}\` failed on the cluster.`)
  }
}
console.log('The database was distributed, and every invariant holds.')
