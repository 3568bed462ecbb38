// The business and environment that a statement reads or changes. Live and test share no data, so
// every store function takes both together.
export const environments = ['live', 'test'] as const
export type Environment = (typeof environments)[number]

export type Tenant = {
  readonly businessId: string
  readonly environment: Environment
}
