// `GET /openapi.json`: the description of the whole service, including this route. Therefore the
// service is passed when a request arrives, not when the route is defined.
import { z } from 'zod'
import type { ServiceContext } from '../operations/service-context.ts'
import { type OpenApiDocument, openApiDocument } from './openapi.ts'
import { type KeyRoute, ok, routesOf } from './route.ts'
import type { Service } from './service.ts'

export function openApiRoute<Context extends ServiceContext>(
  service: () => Service<Context>,
  tag: string,
): KeyRoute<Context> {
  // Computed once: neither changes while the program runs, and it is slow.
  const documents = new Map<string, OpenApiDocument>()
  const document = (publicUrl: string) => {
    const made = documents.get(publicUrl) ?? openApiDocument(service(), publicUrl)
    documents.set(publicUrl, made)
    return made
  }
  return routesOf<Context>()({
    method: 'GET',
    path: '/openapi.json',
    operationId: 'getOpenApi',
    tag,
    summary: 'Read the machine-readable description',
    description: 'The OpenAPI 3.0 description of the whole API. Any key can read it.',
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
    handle: async (context) => ok(document(context.publicUrl)),
  })
}
