// The people of a business at the terminal: as the operator, and as an owner with a password.
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { approveCommand, showApprovals } from '../../src/cli/commands/merchant/approval-commands.ts'
import { listKeys } from '../../src/cli/commands/people/key-commands.ts'
import {
  changePersonRole,
  endPersonSessions,
  listPeople,
  removePerson,
  resetPersonFactor,
  resetPersonPassword,
} from '../../src/cli/commands/people/member-commands.ts'
import { addPerson } from '../../src/cli/commands/people/people-commands.ts'
import type { Command, CommandOptions } from '../../src/cli/core/command.ts'
import { readSettings } from '../../src/config.ts'
import type { Role } from '../../src/kernel/auth/actor.ts'
import { createPeople, type People } from '../../src/kernel/auth/people.ts'
import { password } from '../support/people.ts'
import { putPerson } from '../support/put-person.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()

let people: People
let business: string
let owner: Awaited<ReturnType<typeof member>>

beforeAll(async () => {
  people = await createPeople(world().context, world().context)
})

beforeEach(async () => {
  business = await world().business()
  owner = await member('owner')
})

async function member(role: Role) {
  const { personId, email, backupCodes = [] } = await putPerson(world().context)
  await world().database.transaction((tx) => people.addMembership(tx, business, personId, role))
  const codes = [...backupCodes]
  return { email, personId, secrets: () => [password, codes.pop() ?? ''] }
}

async function run(command: Command, options: CommandOptions, secrets: string[] = []) {
  const printed: string[] = []
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    printed.push(String(chunk))
    return true
  })
  try {
    const own = { context: world().context, settings: readSettings([]) }
    const asked = { people: async () => people, askSecrets: async () => secrets }
    await command.run({ ...own, ...asked }, { business, ...options })
    return printed.join('')
  } finally {
    write.mockRestore()
  }
}

const json = async (command: Command, options: CommandOptions, secrets: string[] = []) =>
  JSON.parse(await run(command, { ...options, json: true }, secrets))

describe('cli people', () => {
  it('lists the people, and says who has no second factor', async () => {
    await run(resetPersonFactor, { email: owner.email })
    expect(await run(listPeople, {})).toBe(
      `owner     ${owner.email}  Ada Example (no second factor)\n`,
    )
    expect(await json(listPeople, {})).toMatchObject([{ email: owner.email, role: 'owner' }])
  })

  it('adds someone who can approve once the owner has confirmed it', async () => {
    const email = `${world().context.ids.uuid()}@example.com`
    const wanted = { email, name: 'Grace Example', role: 'approver' }
    const { role, approval_id: approval } = await json(addPerson, wanted)
    expect(role).toBe('viewer')
    expect(await run(showApprovals, {})).toContain(
      `make ${email} approver instead of viewer\n  requested by the operator (cli people add)`,
    )
    const decision = { approval, email: owner.email }
    expect(await run(approveCommand, decision, owner.secrets())).toBe(
      `Approved: make ${email} approver instead of viewer.\n`,
    )
    expect(await json(listPeople, {})).toContainEqual(
      expect.objectContaining({ email, role: 'approver' }),
    )
  })

  it('changes a role as an owner, who proves it', async () => {
    const { email } = await member('viewer')
    const wanted = { email, role: 'member', as: owner.email }
    await expect(run(changePersonRole, wanted, [password, '000000'])).rejects.toMatchObject({
      kind: 'permission_denied',
    })
    expect(await run(changePersonRole, wanted, owner.secrets())).toBe(`${email} is member now.\n`)
    expect(await run(changePersonRole, { email, role: 'admin' })).toMatch(
      /^Waits for an owner.*\n {2}cli approvals approve --approval [0-9a-f-]{36} --email/,
    )
    const at = { email, role: 'admin', 'without-confirmation': true }
    expect(await run(changePersonRole, at)).toBe(`${email} is admin now.\n`)
  })

  it('removes someone and lists the keys to look at', async () => {
    const admin = await member('admin')
    const key = { businessId: business, createdBy: admin.personId }
    const { id } = await world().key({ service: 'books', ...key })
    const text = await run(removePerson, { email: admin.email })
    expect(text).toContain(`${admin.email} no longer belongs to the business. Sessions ended: 0.`)
    expect(text).toContain(id)
    expect(await run(listKeys, {})).toContain(`by ${admin.email}, who has left the business`)
    await expect(run(removePerson, { email: admin.email })).rejects.toThrow('does not belong')
  })

  it('resets a password, which is shown once, and ends sessions', async () => {
    const { email, secrets } = await member('viewer')
    const text = await run(resetPersonPassword, { email })
    const [, fresh = ''] = /^Password {5}(\S+)\n/.exec(text) ?? []
    const [, code = ''] = secrets()
    expect(await people.verifyPasswordAndCode(email, fresh, code)).toBeDefined()
    expect(await run(endPersonSessions, { email })).toBe(`Sessions of ${email} ended: 0.\n`)
    // An owner does not see it.
    const mailed = await run(resetPersonPassword, { email, as: owner.email }, owner.secrets())
    expect(mailed).toContain(`The password of ${email} is reset.`)
    expect(mailed).not.toContain('Password  ')
  })

  it('resets a second factor with the confirmation of an owner', async () => {
    const { email } = await member('admin')
    const { approval_id: approval } = await json(resetPersonFactor, { email })
    expect(await run(showApprovals, {})).toContain(`reset the second factor of ${email}`)
    await run(approveCommand, { approval, email: owner.email }, owner.secrets())
    expect(await run(listPeople, {})).toContain(`${email}  Ada Example (no second factor)`)
  })
})
