// A page is a value: method, path, and a function from request to response. It does not depend on
// the web server, so tests can call it directly. `mount-pages.ts` mounts all of them.
import type { VNode } from 'preact'
import type { AssetName } from './assets.ts'
import type { Upload, UploadLimits } from './upload.ts'

export type PageRequest = {
  url: URL
  headers: Headers
  // The named parts of the page's path, such as `id` in `/payments/:id`.
  params: Readonly<Record<string, string>>
  // The fields of a posted form; empty for GET.
  form: URLSearchParams
  // For pages that accept files.
  upload?: Upload
  // The client's network address, as reported by trusted proxies.
  address: string
  // The nonce of the page's scripts and styles for the content security policy.
  nonce: string
  // Aborted when the visitor has left before the answer was sent.
  signal: AbortSignal
}

export type PageAnswer = {
  status: number
  headers?: Record<string, string | string[]>
  // The content of the page frame; a string or bytes are sent unchanged.
  body?: VNode | string | Uint8Array
  // Instead of a body: streamed content that is too long to hold in memory. Set its content type.
  pieces?: AsyncIterable<string | Uint8Array>
  title?: string
  // Without header and footer, for people who visit only this page.
  isBare?: boolean
  // Of the content; English if left out.
  language?: string
  // A further style sheet, by its path.
  stylePath?: string
  // A further script that the page needs.
  script?: AssetName
}

export type Page = {
  method: 'GET' | 'POST'
  path: string
  // A page for everybody who has its address, without a key or a session: `hosted-limits.ts` limits
  // how often it is asked for. `costly`: it takes much more work than a page that is only read.
  hosted?: 'plain' | 'costly'
  // Forms are accepted only from our own pages. This also accepts posts from other machines; such a
  // page must not use the visitor's cookies.
  fromAnywhere?: true
  // The form may contain files. `admit` throws if the caller may not upload, before
  // any byte is read.
  takesFiles?: UploadLimits & { admit(request: PageRequest): Promise<void> }
  handle(request: PageRequest): Promise<PageAnswer>
}

// 303 makes the browser follow with GET, so that reloading the next page posts nothing again.
export function redirectTo(path: string, setCookies: string[] = []): PageAnswer {
  return { status: 303, headers: { location: path, 'set-cookie': setCookies } }
}
