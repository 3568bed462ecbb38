// `npm run test:cluster`, as far as it can be seen without a cluster.
import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { databaseForThisTest } from '../../support/database.ts'
import { checkout } from '../../support/processes.ts'

function testCluster(citusUrl: string) {
  const { PATH } = process.env
  return spawnSync(process.execPath, ['scripts/test-cluster.mjs'], {
    cwd: checkout,
    env: { PATH, CITUS_URL: citusUrl },
    encoding: 'utf8',
  })
}

it('says what it needs when no cluster is named', () => {
  const { status, stderr } = testCluster('')
  expect(status).toBe(1)
  expect(stderr).toContain('CITUS_URL is not set.')
  expect(stderr).toContain('at least one worker is added')
})

it('refuses a server without workers', async () => {
  const { url } = await databaseForThisTest()
  const { status, stderr } = testCluster(url)
  expect(status).toBe(1)
  expect(stderr).toContain('the database of CITUS_URL knows no worker')
})
