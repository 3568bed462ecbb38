import { z } from 'zod'
import { defineOperation } from '../access/define-operation.ts'
import { everyRole } from '../operations/permission.ts'
import type { Brand } from './brand.ts'
import { findBrand } from './brand-store.ts'

export const getBrand = defineOperation({
  name: 'get-brand',
  summary: 'Show the branding of the business',
  kind: 'read',
  input: z.strictObject({}),
  scopes: [],
  roles: everyRole,
  async run({ database }, { businessId }): Promise<Brand> {
    return findBrand(database.sql, businessId)
  },
})
