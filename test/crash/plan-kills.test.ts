import { expect, it } from 'vitest'
import { planKills } from './sweep.ts'

const ways = [['a.a', 'a.b', 'a.c'], ['a.a', 'a.b', 'a.c'], ['a.a', 'a.b', 'a.c'], ['a.d']]

it('sweeps every failpoint, in no more operations than wanted, and spreads them', () => {
  const kills = planKills(ways, 2)
  expect(kills).toEqual([['a.a', 'a.b'], ['a.a', 'a.c'], ['a.b', 'a.c'], ['a.d']])
})

it('sweeps a failpoint that only one operation reaches in that one', () => {
  expect(planKills([['a.a'], ['a.a', 'a.b']], 1)).toEqual([['a.a'], ['a.b']])
})

it('sweeps everything when nothing is bounded', () => {
  expect(planKills(ways, Number.POSITIVE_INFINITY)).toEqual(ways)
})
