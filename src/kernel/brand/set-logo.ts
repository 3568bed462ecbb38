// Sets or removes the logo that payers see. Old logos stay: documents were issued with them, and
// mails that were sent show them.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { defineOperation } from '../access/define-operation.ts'
import { inLive } from '../auth/actor.ts'
import { recordAct } from '../auth/audit-log.ts'
import { lockBusiness } from '../auth/business-store.ts'
import { Fault, invalidField } from '../basics/fault.ts'
import { adminRoles } from '../operations/permission.ts'
import type { Brand } from './brand.ts'
import { findBrand, findLogoCount, insertLogo, insertOrUpdateBrandLogo } from './brand-store.ts'
import { readLogo } from './logo-image.ts'

// At most 25 MB of one business, and more than any business needs.
const logosMax = 50

export const setLogo = defineOperation({
  name: 'set-logo',
  summary: 'Set the logo that payers see',
  kind: 'write',
  input: z.strictObject({ bytes: z.instanceof(Buffer) }),
  scopes: [],
  roles: adminRoles,
  async run(context, caller, { bytes }): Promise<Brand> {
    const actor = inLive(caller)
    const { businessId } = actor
    const image = readLogo(bytes)
    if ('problem' in image) throw invalidField('logo', image.problem)
    const { bytes: content, ...size } = image
    const logo = { ...size, sha256: createHash('sha256').update(content).digest('hex') }
    return context.database.transaction(async (tx) => {
      await lockBusiness(tx, businessId)
      const brand = await findBrand(tx, businessId)
      if (brand.logo?.sha256 === logo.sha256) {
        context.call.nothingChanged()
        return brand
      }
      if ((await findLogoCount(tx, businessId)) >= logosMax) {
        throw new Fault('conflict', `A business can have at most ${logosMax} different logos.`)
      }
      const now = context.clock.now()
      await insertLogo(tx, businessId, logo, content, now)
      await insertOrUpdateBrandLogo(tx, businessId, logo.sha256, now)
      await recordAct(tx, context, actor, {
        action: 'brand.set_logo',
        objectKind: 'business',
        objectId: businessId,
        detail: { sha256: logo.sha256, width: logo.width, height: logo.height },
      })
      return { ...brand, logo }
    })
  },
})

export const removeLogo = defineOperation({
  name: 'remove-logo',
  summary: 'Remove the logo that payers see',
  kind: 'write',
  input: z.strictObject({}),
  scopes: [],
  roles: adminRoles,
  async run(context, caller): Promise<Brand> {
    const actor = inLive(caller)
    const { businessId } = actor
    return context.database.transaction(async (tx) => {
      await lockBusiness(tx, businessId)
      const brand = await findBrand(tx, businessId)
      if (!brand.logo) {
        context.call.nothingChanged()
        return brand
      }
      await insertOrUpdateBrandLogo(tx, businessId, null, context.clock.now())
      await recordAct(tx, context, actor, {
        action: 'brand.remove_logo',
        objectKind: 'business',
        objectId: businessId,
        detail: { sha256: brand.logo.sha256 },
      })
      return { ...brand, logo: null }
    })
  },
})
