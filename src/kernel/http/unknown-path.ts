// The response to a request that matches no route: the path does not exist, or it exists only with
// other methods. Both are 404, since the interface has no 405.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Fault, notFound } from '../basics/fault.ts'

declare module 'fastify' {
  interface FastifyInstance {
    unknownPath(request: FastifyRequest): Fault
  }
}

// Must be called before the routes are added.
export function watchRoutes(app: FastifyInstance): void {
  const methodsOf = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsOf.get(url) ?? new Set()
    for (const one of [method].flat()) methods.add(one)
    methodsOf.set(url, methods)
  })
  app.decorate('unknownPath', (request: FastifyRequest) => {
    const [path = ''] = (request.raw.url ?? '').split('?')
    const allowed = new Set<string>()
    for (const [pattern, methods] of methodsOf) {
      if (matches(pattern, path)) for (const method of methods) allowed.add(method)
    }
    // Fastify adds HEAD to every GET. Callers don't look for it.
    allowed.delete('HEAD')
    allowed.delete(request.method)
    if (allowed.size === 0) return notFound('path')
    const takes = [...allowed].sort().join(' and ')
    return new Fault('not_found', `This path takes ${takes}, not ${request.method}.`)
  })
}

function matches(pattern: string, path: string): boolean {
  const parts = pattern.split('/')
  const given = path.split('/')
  return (
    parts.length === given.length &&
    parts.every((part, index) =>
      part.startsWith(':') ? given[index] !== '' : part === given[index],
    )
  )
}
