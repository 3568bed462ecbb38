// Balances, the wallet and the settlement account at the terminal.
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  explainBalance,
  returnFromWallet,
  showBalances,
} from '../../src/cli/commands/merchant/balance-commands.ts'
import { setPayoutDestination } from '../../src/cli/commands/merchant/settlement-account-commands.ts'
import { type Command, type CommandOptions, UsageError } from '../../src/cli/core/command.ts'
import { readSettings } from '../../src/config.ts'
import type { Role } from '../../src/kernel/auth/actor.ts'
import { createPeople, type People } from '../../src/kernel/auth/people.ts'
import { type Payer, payer } from '../support/payouts.ts'
import { password } from '../support/people.ts'
import { putPerson } from '../support/put-person.ts'
import { totp } from '../support/totp.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()

let people: People
let one: Payer

beforeAll(async () => {
  people = await createPeople(world().context, world().context)
})

beforeEach(async () => {
  one = await payer(world())
  await one.payOut({ amount: 2500, destinationType: 'service_account' })
  await one.payOut({ amount: 500 })
})

async function member(role: Role) {
  const created = await putPerson(world().context)
  await world().database.transaction((tx) =>
    people.addMembership(tx, one.tenant.businessId, created.personId, role),
  )
  return {
    email: created.email,
    // Of the moment in which they are typed.
    get secrets() {
      return [password, totp(created.totpSecret ?? '', new Date())]
    },
  }
}

async function run(command: Command, options: CommandOptions = {}, secrets: string[] = []) {
  const printed: string[] = []
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    printed.push(String(chunk))
    return true
  })
  try {
    const { context } = world()
    const settings = readSettings([])
    const commandWorld = {
      context,
      settings,
      people: async () => people,
      askSecrets: async () => secrets,
    }
    await command.run(commandWorld, { business: one.tenant.businessId, ...options })
    return printed.join('')
  } finally {
    write.mockRestore()
  }
}

describe('cli balances', () => {
  it('shows each part, in words and as JSON', async () => {
    expect(await run(showBalances)).toBe(
      'pending    NGN 0.00\navailable  NGN 7000.00\nreserved   NGN 500.00\nwallet     NGN 2500.00\n',
    )
    expect(JSON.parse(await run(showBalances, { json: true }))).toEqual([
      {
        currency: 'NGN',
        pending_minor: '0',
        available_minor: '700000',
        reserved_minor: '50000',
        wallet_minor: '250000',
      },
    ])
    expect(await run(showBalances, { test: true })).toBe('No money has moved yet.\n')
  })

  it('says why', async () => {
    const options = { currency: 'NGN', part: 'available' }
    const text = await run(explainBalance, options)
    expect(text).toMatch(/payout [0-9a-f-]{36} \(processing\) {2}NGN 500\.00\n/)
    expect(text).toMatch(/payout\.completed [0-9a-f-]{36} {2}NGN -2500\.00\n/)
    const json = JSON.parse(await run(explainBalance, { ...options, json: true }))
    expect(json).toMatchObject({
      lines: [{ amount_minor: '-250000' }, { amount_minor: '1000000' }],
      payouts: [{ status: 'processing', amount_minor: '50000' }],
    })
    expect(JSON.stringify(json)).not.toContain('sealed')
    await expect(run(explainBalance, { currency: 'NGN', part: 'all' })).rejects.toThrow(UsageError)
  })
})

describe('cli wallet return', () => {
  const options = { currency: 'NGN', amount: '1000.50' }

  it('moves money back for an owner who proves to be one', async () => {
    const { email, secrets } = await member('owner')
    expect(await run(returnFromWallet, { ...options, email }, secrets)).toBe(
      'Moved back: NGN 1000.50.\n',
    )
    expect(await run(showBalances)).toContain('wallet     NGN 1499.50\n')
  })

  it('does nothing for others', async () => {
    const { email, secrets } = await member('approver')
    await expect(run(returnFromWallet, { ...options, email }, secrets)).rejects.toMatchObject({
      kind: 'permission_denied',
    })
  })
})

describe('cli settlement-account set', () => {
  const options = { bank: '058', account: '0690000040', name: 'Corner shop' }

  it('sets where payouts go, for an owner who proves to be one', async () => {
    const { email, secrets } = await member('owner')
    await run(setPayoutDestination, { ...options, email }, secrets)
    expect((await one.payOut({ bankDetails: { bankCode: '058' } })).status).toBe(200)
  })

  it.each([
    ['a viewer', 'viewer', undefined],
    ['an owner with a wrong code', 'owner', [password, '000000']],
  ] as const)('does nothing for %s', async (_, role, typed) => {
    const { email, secrets } = await member(role)
    await expect(
      run(setPayoutDestination, { ...options, email }, typed ? [...typed] : secrets),
    ).rejects.toMatchObject({ kind: 'permission_denied' })
    expect((await one.payOut({ bankDetails: { bankCode: '058' } })).status).toBe(403)
  })
})
