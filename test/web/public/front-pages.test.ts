// The public pages as they are sent: the front page, robots.txt and the documents behind the API
// reference. Their look and behaviour are tested in test/browser.
import { describe, expect, onTestFinished, test } from 'vitest'
import { services } from '../../../src/app/services.ts'
import { openApiDocument } from '../../../src/kernel/http/openapi.ts'
import { createWorld, useWorld, type WorldOptions } from '../../support/world.ts'

const world = useWorld()

async function another(options: WorldOptions = {}) {
  const made = await createWorld(options)
  onTestFinished(() => made.close())
  return made
}

const words = (html: string) => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')

describe('the front page', () => {
  test('shows background work that no one does as down', async () => {
    expect(words((await world().call('GET', '/')).text)).toContain('Background work Down')
    await expect.poll(async () => (await world().call('GET', '/readyz')).status).toBe(200)
  })

  test('shows a database that cannot be reached as down, and still works', async () => {
    const broken = await another()
    await broken.database.close()
    const { status, text } = await broken.call('GET', '/')
    expect(status).toBe(200)
    expect(words(text)).toContain('Some parts are down')
    expect(words(text)).toContain('Database Down')
    expect(words(text)).toContain('API Up')
  })

  test('of a demo says that it is one, and no other does', async () => {
    const demo = await another({ settings: { demo: true } })
    expect((await demo.call('GET', '/')).text).toContain('This is a demo.')
    expect((await world().call('GET', '/')).text).not.toContain('This is a demo.')
  })
})

test('search engines are shown to the public pages and away from all others', async () => {
  const { status, headers, text } = await world().call('GET', '/robots.txt')
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(text.trim().split('\n')).toEqual([
    'User-agent: *',
    'Allow: /$',
    'Allow: /assets/',
    'Allow: /reference/',
    'Disallow: /',
  ])
})

describe('the reference', () => {
  test('leads to the first service', async () => {
    const answer = await world().call('GET', '/reference')
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe('/reference/merchant')
  })

  test('shows example requests that a reader would send', async () => {
    const { text } = await world().call('GET', '/reference/merchant')
    const words = text.replaceAll('&quot;', '"').replaceAll('&#39;', "'")
    expect(words).toContain(`-d '{"amount":150000}'`)
    expect(words).toContain('"accountBank":"044"')
    expect(words).toContain(`-d '{"verified":true,"disabled":false}'`)
    expect(words).not.toContain('"text"')
  })

  test.each(services)('of $name explains rate limits, events and signatures', async ({ name }) => {
    const { text } = await world().call('GET', `/reference/${name}`)
    for (const part of ['RateLimit-Remaining', 'Verify signatures', 'HMAC-SHA256', '180 calls']) {
      expect(text).toContain(part)
    }
    // An example of each answer, without unfolding anything.
    expect(text.replaceAll(/<details.*?<\/details>/gs, '')).toContain('Example response')
  })

  test.each(services)('of $name gives its document to machines, to anyone', async (service) => {
    const answer = await world().call('GET', `/reference/${service.name}.json`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const document = openApiDocument(service, 'https://tillbook.example')
    expect(answer.body).toEqual(JSON.parse(JSON.stringify(document)))
  })
})
