// A route is a value: its contract and its handler. The router, the validation, the types of the
// handler, the OpenAPI description, the reference pages and the tests over all routes are computed
// from it, so they always agree.
import type { z } from 'zod'
import type { KeyActor } from '../auth/actor.ts'
import { Fault, type FaultKind } from '../basics/fault.ts'
import type { Operation } from '../operations/operation.ts'
import { runValidated } from '../operations/run-operation.ts'
import type { ServiceContext } from '../operations/service-context.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export type Responses = Readonly<Record<number, ResponseContract>>

export type ResponseContract = {
  readonly description: string
  // None for a response without a body.
  readonly schema?: z.ZodType
  // Descriptions of the response's own headers, by name.
  readonly headers?: Readonly<Record<string, string>>
  // Other bodies on request, by media type. `schema` describes the JSON one.
  readonly otherTypes?: Readonly<Record<string, z.ZodType>>
}

// The parts of a request after validation. A part without a schema is left out.
export type RouteInput<Params, Query, Headers, Body> = {
  readonly actor: KeyActor
  readonly requestId: string
  readonly params: Params
  readonly query: Query
  readonly headers: Headers
  readonly body: Body
}

export type Answer<Body = unknown> = {
  readonly status: number
  // Undefined for a response without a body.
  readonly body: Body
  readonly headers?: Readonly<Record<string, string>>
}

// A response of any length, sent piece by piece. Its headers name the media type.
export type Streamed = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly pieces: AsyncIterable<string | Uint8Array>
}

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

type Contract = {
  readonly method: Method
  readonly path: string
  readonly operationId: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  // A key needs one of these. Routes that need more depending on the body check it themselves, and
  // list the scope here so that it is documented.
  readonly scopes: readonly string[]
  readonly bodyScopes?: readonly { readonly scope: string; readonly when: string }[]
  readonly responses: Responses
  // How many bytes a body may have, if more than usual.
  readonly bodyLimitBytes?: number
  // Faults in addition to those that every route of its kind has (400, 401, 403, 429, 500, 503).
  readonly faults?: readonly FaultKind[]
}

type Schemas = {
  params?: z.ZodType
  query?: z.ZodType
  headers?: z.ZodType
  body?: z.ZodType
}

export type KeyRoute<Context> = Contract &
  Schemas & {
    readonly kind: 'key'
    handle(
      context: Context,
      input: RouteInput<unknown, unknown, unknown, unknown>,
    ): Promise<Answer | Streamed>
  }

// A route without authentication.
export type PublicRoute = Omit<Contract, 'scopes' | 'method'> & {
  readonly kind: 'public'
  readonly method: 'GET'
  readonly scopes: readonly []
  readonly body?: undefined
  readonly params?: undefined
  readonly query?: undefined
  readonly headers?: undefined
  handle(): Answer
}

export type Route<Context> = KeyRoute<Context> | PublicRoute

type Definition<Context, P, Q, H, B> = Contract & {
  readonly params?: P
  readonly query?: Q
  readonly headers?: H
  readonly body?: B
  handle(
    context: Context,
    input: RouteInput<Output<P>, Output<Q>, Output<H>, Output<B>>,
  ): Promise<Answer | Streamed>
}

// A route with its own handler, for responses that are not the result of an operation.
export function routesOf<Context>() {
  return function defineRoute<
    P extends z.ZodType | undefined = undefined,
    Q extends z.ZodType | undefined = undefined,
    H extends z.ZodType | undefined = undefined,
    B extends z.ZodType | undefined = undefined,
  >(definition: Definition<Context, P, Q, H, B>): KeyRoute<Context> {
    // The router validates with the same schemas before it calls `handle`, which makes this cast
    // true.
    return { ...definition, kind: 'key' } as unknown as KeyRoute<Context>
  }
}

// Whether the result is that of an earlier call with the same idempotency key.
export type Outcome = { readonly isReplay: boolean }

// A route that calls an operation. It adds method, path, the schemas of the published interface and
// the presentation of the result. The operation decides who can call it.
type OperationDefinition<Context, P, Q, H, B, Input extends z.ZodType, Result> = Omit<
  Contract,
  'scopes' | 'summary'
> & {
  readonly operation: Operation<Context, Input, Result>
  // Defaults to the operation's summary. For operations with several routes.
  readonly summary?: string
  readonly params?: P
  readonly query?: Q
  readonly headers?: H
  readonly body?: B
  input(request: RouteInput<Output<P>, Output<Q>, Output<H>, Output<B>>): z.output<Input>
  idempotencyKey?(
    request: RouteInput<Output<P>, Output<Q>, Output<H>, Output<B>>,
  ): string | undefined
  answer(
    result: Result,
    context: Context,
    request: RouteInput<Output<P>, Output<Q>, Output<H>, Output<B>>,
    outcome: Outcome,
  ): Answer | Streamed | Promise<Answer | Streamed>
  // Renames the fields of a fault to those of the interface.
  presentFault?(fault: Fault): Fault
}

// `const defineRoute = operationRoutesOf<MerchantContext>()`: a service names its context once, and
// the types of a route's parts follow from its schemas and its operation.
export function operationRoutesOf<Context extends ServiceContext>() {
  return function defineRoute<
    Input extends z.ZodType,
    Result,
    P extends z.ZodType | undefined = undefined,
    Q extends z.ZodType | undefined = undefined,
    H extends z.ZodType | undefined = undefined,
    B extends z.ZodType | undefined = undefined,
  >(definition: OperationDefinition<Context, P, Q, H, B, Input, Result>): KeyRoute<Context> {
    const {
      operation,
      input,
      idempotencyKey,
      answer: present,
      presentFault,
      ...contract
    } = definition
    return routesOf<Context>()<P, Q, H, B>({
      summary: operation.summary,
      ...contract,
      scopes: operation.scopes,
      async handle(context, request) {
        let isReplay = false
        const onReplay = () => {
          isReplay = true
        }
        const options = { idempotencyKey: idempotencyKey?.(request), onReplay }
        try {
          const { actor } = request
          const result = await runValidated(operation, context, actor, input(request), options)
          return present(result, context, request, { isReplay })
        } catch (error) {
          throw presentFault && error instanceof Fault ? presentFault(error) : error
        }
      },
    })
  }
}

export function definePublicRoute(
  definition: Omit<PublicRoute, 'kind' | 'method' | 'scopes'>,
): PublicRoute {
  return { ...definition, kind: 'public', method: 'GET', scopes: [] }
}

export function answer<Body>(status: number, body: Body): Answer<Body> {
  return { status, body }
}

// For the contract of an answer that says so, and for the answer itself.
export const replayHeader = {
  'Idempotent-Replay':
    '`true` if the answer is that of an earlier call with the same `Idempotency-Key`, whatever ' +
    'the body of this call says.',
}

export function withReplay<Body>(made: Answer<Body>, { isReplay }: Outcome): Answer<Body> {
  return isReplay ? { ...made, headers: { 'idempotent-replay': 'true' } } : made
}

export const ok = <Body>(body: Body): Answer<Body> => answer(200, body)
