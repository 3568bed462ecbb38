import { describe, expect, it, onTestFinished } from 'vitest'
import { otherLoopback } from '../../../src/kernel/web/loopback-host.ts'
import { createWorld } from '../../support/world.ts'

describe('a visitor under another spelling of this machine', () => {
  it.each([
    ['http://127.0.0.1:4000', 'localhost:4000', '/sign-in?next=%2Fhome'],
    ['http://127.0.0.1:4000', '[::1]:4000', '/sign-in?next=%2Fhome'],
    ['http://localhost:4000', '127.0.0.1:4000', '/'],
    ['http://localhost', '127.0.0.1', '/'],
  ])('is led to %s from %s', (publicUrl, host, target) => {
    expect(otherLoopback(publicUrl, host, target)).toBe(`${publicUrl}${target}`)
  })

  it.each([
    ['is there already', 'http://127.0.0.1:4000', '127.0.0.1:4000', '/'],
    ['comes through another port', 'http://127.0.0.1:4000', 'localhost:9000', '/'],
    ['comes by another name', 'http://127.0.0.1:4000', 'shop.example:4000', '/'],
    ['would leave this machine', 'https://pay.example.com', 'localhost', '/'],
    ['says nonsense', 'http://127.0.0.1:4000', 'a b', '/'],
    ['says nothing', 'http://127.0.0.1:4000', undefined, '/'],
    ['asks as a proxy is asked', 'http://127.0.0.1:4000', 'localhost:4000', 'http://evil.example/'],
  ])('stays when they %s', (_, publicUrl, host, target) => {
    expect(otherLoopback(publicUrl, host, target)).toBeUndefined()
  })
})

it('leads pages only: an API answers under every name', async () => {
  const world = await createWorld({ isReachable: true })
  onTestFinished(() => world.close())
  const elsewhere = world.baseUrl.replace('127.0.0.1', 'localhost')
  const ask = (path: string) => fetch(`${elsewhere}${path}`, { redirect: 'manual' })
  const page = await ask('/sign-in?next=%2Fhome')
  expect(page.status).toBe(307)
  expect(page.headers.get('location')).toBe(`${world.baseUrl}/sign-in?next=%2Fhome`)
  expect(page.headers.get('cache-control')).toBe('no-store')
  expect((await ask('/merchant/api/v1/openapi.json')).status).toBe(401)
  expect((await ask('/healthz')).status).toBe(200)
})
