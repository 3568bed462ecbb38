// Whose data a statement touches. Live and test are separate worlds of one business, so every
// store function takes both together, and no statement can forget one of them.
export const environments = ['live', 'test'] as const
export type Environment = (typeof environments)[number]

export type Tenant = {
  readonly businessId: string
  readonly environment: Environment
}
