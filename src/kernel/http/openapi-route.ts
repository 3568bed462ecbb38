// `GET /openapi.json`: the description of the whole service, this route included, which is why
// the service is asked for when a request comes and not when the route is made.
import { z } from 'zod'
import { openApiDocument } from './openapi.ts'
import { type KeyRoute, ok, routesOf } from './route.ts'
import type { Service, ServiceContext } from './service.ts'

export function openApiRoute<Context extends ServiceContext>(
  service: () => Service<Context>,
  tag: string,
): KeyRoute<Context> {
  return routesOf<Context>()({
    method: 'GET',
    path: '/openapi.json',
    operationId: 'getOpenApi',
    tag,
    summary: 'Read the machine-readable description',
    description: 'The OpenAPI 3.0 description of the whole API. Any key may read it.',
    scopes: [],
    responses: {
      200: {
        description: 'The OpenAPI document.',
        schema: z.looseObject({
          openapi: z.string(),
          info: z.looseObject({ title: z.string(), version: z.string() }),
          paths: z.looseObject({}),
        }),
      },
    },
    handle: async (context) => ok(openApiDocument(service(), context.publicUrl)),
  })
}
