// The files that pages load. They are read once at start and named after their content, so that
// browsers can cache them permanently and still see every change. They are compressed on the first
// request, off the main thread, and the result is kept.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { notFound } from '../basics/fault.ts'
import { type Encoding, preferredEncoding } from './encoding.ts'

export type AssetName = keyof typeof sources

export type Assets = {
  // The address under which a page loads the file.
  url(name: AssetName): string
  find(path: string): Asset | undefined
}

type Asset = {
  readonly contentType: string
  bytes(encoding: Encoding | undefined): Promise<Buffer>
}

// The folder is beside `src` and `dist`, so the same path works from both.
const ownFile = (name: string) => new URL(`../../../assets/${name}`, import.meta.url)
// Made by the build.
const builtFile = (name: string) => new URL(`../../../dist/islands/${name}`, import.meta.url)
const packageFile = (name: string) => createRequire(import.meta.url).resolve(name)

const sources = {
  'tabler.css': () => packageFile('@tabler/core/dist/css/tabler.min.css'),
  'tillbook.css': () => ownFile('tillbook.css'),
  'app.css': () => ownFile('app.css'),
  'app.js': () => builtFile('app.js'),
  'document-editor.js': () => builtFile('document-editor.js'),
  'opening-balances.js': () => builtFile('opening-balances.js'),
  'public.js': () => builtFile('public.js'),
  'sign-in.js': () => builtFile('sign-in.js'),
  'favicon.svg': () => ownFile('favicon.svg'),
} as const

const contentTypes: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

export function loadAssets(): Assets {
  const urls = new Map<string, string>()
  const files = new Map<string, Asset>()
  for (const [name, source] of Object.entries(sources)) {
    const content = readFileSync(source())
    const hash = createHash('sha256').update(content).digest('base64url').slice(0, 12)
    const [stem, ending = ''] = name.split('.')
    const url = `/assets/${stem}.${hash}.${ending}`
    urls.set(name, url)
    files.set(url, createAsset(content, contentTypes[ending] ?? 'application/octet-stream'))
  }
  return {
    url: (name) => urls.get(name) ?? '',
    find: (path) => files.get(path),
  }
}

export function mountAssets(app: FastifyInstance, assets: Assets): void {
  app.get('/assets/:file', async (request, reply) => {
    const asset = assets.find(request.raw.url ?? '')
    if (!asset) throw notFound('file')
    const encoding = preferredEncoding(request.headers['accept-encoding'])
    const bytes = await asset.bytes(encoding)
    if (encoding) reply.header('content-encoding', encoding)
    return reply
      .headers({
        'content-type': asset.contentType,
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'accept-encoding',
        'x-content-type-options': 'nosniff',
        // An SVG opened directly is a document and must not run scripts either.
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      })
      .send(bytes)
  })
}

// Level 9 takes a twentieth of the time of level 11 for a sixth more bytes, so the first visit is
// fast; later ones use the browser's cache.
const brotliLevel = 9

const compressors: Record<Encoding, (content: Buffer) => Promise<Buffer>> = {
  br: (content) =>
    promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: brotliLevel,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
  gzip: (content) => promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
}

function createAsset(content: Buffer, contentType: string): Asset {
  const compressed = new Map<Encoding, Promise<Buffer>>()
  return {
    contentType,
    async bytes(encoding) {
      if (!encoding) return content
      const known = compressed.get(encoding)
      if (known) return known
      const made = compressors[encoding](content)
      compressed.set(encoding, made)
      return made
    },
  }
}
