// A call of the provider's API, as a value. `mount-endpoints.ts` mounts them.
import type { SimulatorContext } from './context.ts'
import type { Answer } from './envelope.ts'
import type { Fields } from './fields.ts'
import type { World } from './world.ts'

export type Call = {
  readonly params: Readonly<Record<string, string>>
  readonly query: Fields
  readonly body: Fields
}

export type Endpoint = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  // Below the prefix, in the router's notation. Method and path together are the operation's name
  // in rules, as in `POST /transfers`.
  readonly path: string
  handle(context: SimulatorContext, world: World, call: Call): Promise<Answer>
}
