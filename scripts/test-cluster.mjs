// The tests of what a distributed database does, on a real Citus cluster: the way of an operator
// (migrate, distribute twice, create the demo business, verify), then contract, model and bridge
// tests, and the bounded crash sweep. It makes its own databases on every server and drops them.
//
//   CITUS_URL=postgres://user@coordinator/any npm run test:cluster
//   CITUS_URL=… npm run test:cluster -- test/contract/fuzz.test.ts     only these tests
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { environmentWithProject, fail, root, run } from './project.mjs'

const url = process.env.CITUS_URL
if (!url) {
  fail(
    'CITUS_URL is not set. `npm run test:cluster` needs the address of a database on a Citus\n' +
      'coordinator (PostgreSQL 15 or newer), in which the extension is created, the coordinator has\n' +
      'its host set and at least one worker is added. docs/scaling.md has the commands. The user\n' +
      'must be allowed to create databases and extensions on every server.',
  )
}

const walk = 'tillbook_test_cluster'
const everything = ['contract', 'model', 'bridge', 'crash'].map((folder) => `test/${folder}`)
const wanted = process.argv.slice(2)

const servers = await listServers()
if (wanted.length === 0) await walkAsOperator()
const env = {
  ...environmentWithProject(),
  TEST_SERVER_URL: servers[0],
  TEST_WORKER_URLS: servers.slice(1).join(' '),
}
const tests = wanted.length === 0 ? everything : wanted
const passed = run(`${root}/node_modules/.bin/vitest`, ['run', ...tests], env)
process.exit(passed ? 0 : 1)

// Their addresses, that of the coordinator first.
async function listServers() {
  const nodes = await query(url, async (client) => {
    const known = await client.query(`select to_regclass('pg_dist_node') is not null as is_citus`)
    if (!known.rows[0].is_citus) return []
    const { rows } = await client.query(
      `select nodename, nodeport from pg_dist_node where isactive order by groupid`,
    )
    return rows
  })
  if (nodes.length < 2) {
    fail('the database of CITUS_URL knows no worker: see docs/scaling.md, and add one.')
  }
  return nodes.map(({ nodename, nodeport }) => {
    const address = new URL(url)
    address.hostname = nodename
    address.port = String(nodeport)
    address.pathname = '/postgres'
    return address.href
  })
}

async function walkAsOperator() {
  await removeWalk()
  await onEach(servers, `create database ${walk}`)
  const addresses = servers.map((server) => Object.assign(new URL(server), { pathname: walk }).href)
  await onEach(addresses, 'create extension citus')
  const [coordinator, ...workers] = addresses.map((address) => new URL(address))
  await query(coordinator.href, async (client) => {
    const add = (name, { hostname, port }) =>
      client.query(`select ${name}($1, $2)`, [hostname, Number(port || 5432)])
    await add('citus_set_coordinator_host', coordinator)
    for (const worker of workers) await add('citus_add_node', worker)
  })
  const env = {
    ...process.env,
    DATABASE_URL: coordinator.href,
    PUBLIC_URL: 'https://pay.example.com',
    SECRETS_KEY: `1:${randomBytes(32).toString('base64')}`,
  }
  const commands = [
    ['migrate'],
    ['distribute', '--check'],
    ['distribute'],
    // Nothing is left to do but the settings.
    ['distribute'],
    ['demo', '--json'],
    ['verify'],
  ]
  for (const command of commands) {
    console.log(`> cli ${command.join(' ')}`)
    if (run(process.execPath, ['dist/cli/main.js', ...command], env)) continue
    fail(`\`cli ${command.join(' ')}\` failed on the cluster.`)
  }
  await removeWalk()
}

async function removeWalk() {
  await onEach(servers, `drop database if exists ${walk} with (force)`)
}

async function onEach(addresses, statement) {
  for (const address of addresses) await query(address, (client) => client.query(statement))
}

async function query(address, work) {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
