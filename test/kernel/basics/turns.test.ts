import { describe, expect, it } from 'vitest'
import { createTurns } from '../../../src/kernel/basics/turns.ts'

const options = {
  waitingMaxPerOwner: 3,
  waitingMax: 5,
  busyMessage: 'Come back later.',
  retryAfterSeconds: 10,
}

// Work that waits until it is told to end.
function held(done: string[], name: string) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const work = async () => {
    await promise
    done.push(name)
    return name
  }
  return { work, end: resolve }
}

const quick = (done: string[], name: string) => async () => void done.push(name)

describe('turns', () => {
  it('go round the owners, so that one with much work delays the others by one piece', async () => {
    const turns = createTurns(options)
    const done: string[] = []
    const first = held(done, 'a1')
    const all = [
      turns.run('a', first.work),
      turns.run('a', quick(done, 'a2')),
      turns.run('a', quick(done, 'a3')),
      turns.run('b', quick(done, 'b1')),
      turns.run('c', quick(done, 'c1')),
    ]
    first.end()
    await Promise.all(all)
    expect(done).toEqual(['a1', 'a2', 'b1', 'c1', 'a3'])
  })

  it('refuse what is too much, of one owner and of all', async () => {
    const turns = createTurns(options)
    const done: string[] = []
    const first = held(done, 'first')
    const running = turns.run('a', first.work)
    const waiting = ['a', 'a', 'a'].map((owner) => turns.run(owner, quick(done, owner)))
    const busy = { kind: 'unavailable', error: 'Come back later.', retryAfterSeconds: 10 }
    await expect(turns.run('a', quick(done, 'a'))).rejects.toMatchObject(busy)
    waiting.push(...['b', 'c'].map((owner) => turns.run(owner, quick(done, owner))))
    await expect(turns.run('d', quick(done, 'd'))).rejects.toMatchObject(busy)
    first.end()
    await Promise.all([running, ...waiting])
    expect(done).toHaveLength(6)
  })

  it('drop the work of a caller who has left, and finish what has begun', async () => {
    const turns = createTurns(options)
    const done: string[] = []
    const first = held(done, 'first')
    const [running, waiting] = [new AbortController(), new AbortController()]
    const begun = turns.run('a', first.work, running.signal)
    const dropped = turns.run('a', quick(done, 'dropped'), waiting.signal)
    const next = turns.run('a', quick(done, 'next'))
    running.abort()
    waiting.abort()
    await expect(dropped).rejects.toMatchObject({ kind: 'invalid_request' })
    await expect(turns.run('a', quick(done, 'late'), waiting.signal)).rejects.toMatchObject({
      kind: 'invalid_request',
    })
    first.end()
    expect(await begun).toBe('first')
    await next
    expect(done).toEqual(['first', 'next'])
  })

  it('go on after work that failed', async () => {
    const turns = createTurns(options)
    const done: string[] = []
    const failing = turns.run('a', () => Promise.reject(new Error('no ink')))
    const next = turns.run('a', quick(done, 'next'))
    await expect(failing).rejects.toThrow('no ink')
    await next
    expect(done).toEqual(['next'])
  })
})
