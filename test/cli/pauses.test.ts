// Pausing at the terminal.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { beginPause, endPause, showPauses } from '../../src/cli/commands/operator/pause-commands.ts'
import type { Command, CommandOptions } from '../../src/cli/core/command.ts'
import { readSettings } from '../../src/config.ts'
import { createPeople } from '../../src/kernel/auth/people.ts'
import { manualClock } from '../support/clock.ts'
import { useWorld } from '../support/world.ts'

const clock = manualClock(new Date('2026-03-01T12:00:00.000Z'))
const world = useWorld({ clock })

async function run(command: Command, options: CommandOptions = {}): Promise<string> {
  const printed: string[] = []
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    printed.push(String(chunk))
    return true
  })
  try {
    const { context } = world()
    const people = () => createPeople(context, context)
    const settings = readSettings([])
    const status = await command.run({ context, settings, people, askSecrets: vi.fn() }, options)
    expect(status).toBe(0)
    return printed.join('')
  } finally {
    write.mockRestore()
  }
}

const listed = async (options: CommandOptions = {}) =>
  JSON.parse(await run(showPauses, { json: true, ...options }))

afterEach(() => run(endPause, { kind: 'payments,refunds,payouts' }))

describe('cli pause', () => {
  it('sets several kinds at once until a moment, and lists them', async () => {
    const until = '2026-03-01T14:30:00+01:00'
    expect(await run(beginPause, { kind: 'refunds, payouts', until })).toBe(
      'Paused: refunds, until 2026-03-01T13:30:00.000Z.\n' +
        'Paused: payouts, until 2026-03-01T13:30:00.000Z.\n',
    )
    expect(await run(showPauses)).toContain('refunds   until 2026-03-01T13:30:00.000Z, set 2026-')
    expect(await listed()).toMatchObject([{ kind: 'payouts' }, { kind: 'refunds' }])
  })

  it('takes minutes from now, and a reason for the record', async () => {
    await run(beginPause, { kind: 'payments', minutes: '90', reason: ' The bank moves. ' })
    expect(await listed()).toMatchObject([
      { kind: 'payments', ends_at: '2026-03-01T13:30:00.000Z', reason: 'The bank moves.' },
    ])
  })

  it('moves the end of a pause that stands, and keeps what was before', async () => {
    await run(beginPause, { kind: 'payments', minutes: '10' })
    await run(beginPause, { kind: 'payments', minutes: '20' })
    expect(await listed()).toMatchObject([{ ends_at: '2026-03-01T12:20:00.000Z' }])
    expect((await listed({ all: true })).length).toBeGreaterThanOrEqual(2)
  })

  it('lifts what is paused, and says when nothing was', async () => {
    await run(beginPause, { kind: 'payouts', minutes: '10' })
    expect(await run(endPause, { kind: 'payouts,refunds' })).toBe(
      'Lifted: payouts.\nNot paused: refunds.\n',
    )
    expect(await run(showPauses)).toBe('Nothing is paused.\n')
  })

  it.each([
    [{ minutes: '10' }, '--kind is missing'],
    [{ kind: 'gifts', minutes: '10' }, '--kind must be of payments, refunds, payouts'],
    [{ kind: 'refunds' }, 'use --until or --minutes'],
    [{ kind: 'refunds', minutes: '1', until: '2030-01-01T00:00:00Z' }, 'use --until or --minutes'],
    [{ kind: 'refunds', until: 'tomorrow' }, '--until must be'],
    [{ kind: 'refunds', until: '2030-01-31' }, '--until must be'],
    [{ kind: 'refunds', minutes: '0' }, '--minutes must be'],
    [{ kind: 'refunds', minutes: '1.5' }, '--minutes must be'],
    [{ kind: 'refunds', minutes: '10081' }, '--minutes must be'],
    [{ kind: 'refunds', minutes: '5', reason: 'x'.repeat(501) }, '--reason has'],
    [{ kind: 'refunds', until: '2026-03-01T12:00:00Z' }, 'in the future'],
  ])('refuses %o', async (options, message) => {
    await expect(run(beginPause, options)).rejects.toThrow(message)
    expect(await listed()).toEqual([])
  })
})
