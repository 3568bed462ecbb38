// A page is a value: method, path, and a function from request to answer. It knows no web server,
// so tests call it directly, and one place mounts all of them.
import type { VNode } from 'preact'
import type { Upload, UploadLimits } from './upload.ts'

export type PageRequest = {
  url: URL
  headers: Headers
  // The fields of a posted form; empty for GET.
  form: URLSearchParams
  // Of a page that takes files.
  upload?: Upload
  // The caller's network address, after trusted proxies were taken into account.
  address: string
  // What the page's own scripts and styles carry under the content security policy.
  nonce: string
}

export type PageAnswer = {
  status: number
  headers?: Record<string, string | string[]>
  // What goes into the page frame; a string or bytes are sent as they are.
  body?: VNode | string | Uint8Array
  // Instead of a body: what is too long to be held, sent as it is read. Its headers say what it is.
  pieces?: AsyncIterable<string>
  title?: string
  // Without the frame of the site, for people who came for this one page.
  isBare?: boolean
}

export type Page = {
  method: 'GET' | 'POST'
  path: string
  // A form is taken from our own pages only. This lets in what other machines post as well; such
  // a page must not act on the visitor's cookies.
  fromAnywhere?: true
  // The form brings files instead of fields. `admit` throws for whoever may not send any, before
  // anything of them is read.
  takesFiles?: UploadLimits & { admit(request: PageRequest): Promise<void> }
  handle(request: PageRequest): Promise<PageAnswer>
}

// 303 turns a posted form into a GET, so that reloading the next page posts nothing again.
export function redirectTo(path: string, setCookies: string[] = []): PageAnswer {
  return { status: 303, headers: { location: path, 'set-cookie': setCookies } }
}
