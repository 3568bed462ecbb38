// @module-tag long
import { expect, it, vi } from 'vitest'
import { applicant, checkIdentity, fillDossier, submit } from '../../support/verification.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld({ worker: true })

it('a worker brings the decision, without anybody asking for it', async () => {
  const one = await applicant(world())
  await fillDossier(one)
  await checkIdentity(one)
  await submit(one)
  await vi.waitFor(async () => expect((await one.account()).kyc_status).toBe('verified'), {
    timeout: 240_000,
    interval: 200,
  })
  expect((await one.view('/status')).text).toContain('Your business is verified')
})
