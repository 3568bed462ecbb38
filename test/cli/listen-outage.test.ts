// @module-tag long
// Listening beside a service whose embedded database restarts with it.
import { expect, test } from 'vitest'
import { runCli } from '../support/cli.ts'
import { freePort, preparedDataDirectory, startCli, startService } from '../support/processes.ts'

test('cli listen goes on when the service is stopped and started again', async () => {
  const env = {
    DATA_DIR: await preparedDataDirectory(),
    DEMO: 'off',
    PORT: String(await freePort()),
  }
  const first = await startService({ env })
  await first.ready()
  const demo = JSON.parse((await runCli(env, 'demo', '--json')).stdout)
  const listener = startCli(env, 'listen', '--business', demo.business_id)
  await listener.until('Press Ctrl-C to quit.')
  const add = async (name: string) => {
    const response = await fetch(`${demo.books.base_url}/contacts`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${demo.books.key}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ name }),
    })
    expect(response.status).toBe(201)
    return (await response.json()).id as string
  }
  const events = () => listener.stdout().match(/contact\.created/g) ?? []
  await add('Before')
  await listener.until('contact.created')
  first.kill('SIGTERM')
  expect(await first.ended).toBe(0)
  await listener.until('The database is not available')

  const second = await startService({ env })
  await second.ready()
  await listener.until('The database is available again.')
  await add('After')
  await expect.poll(() => events().length).toBe(2)
  listener.kill('SIGINT')
  expect(await listener.ended).toBe(0)
  expect(listener.stderr()).toBe('')
  expect(events()).toHaveLength(2)
})
