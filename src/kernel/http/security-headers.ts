// The security headers of all responses: a browser must not interpret or embed them.
export const plainHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const

export function apiHeaders(publicUrl: string): Record<string, string> {
  return {
    ...plainHeaders,
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    ...transportSecurity(publicUrl),
  }
}

// Pages load only our own files, and their scripts have the nonce of this response.
export function pageHeaders(publicUrl: string, nonce: string): Record<string, string> {
  return {
    ...plainHeaders,
    'content-security-policy': [
      "default-src 'none'",
      `script-src 'nonce-${nonce}'`,
      // The nonce is for the progress bar of Turbo, which brings its styles along.
      `style-src 'self' 'nonce-${nonce}'`,
      "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'self'",
      // Our own files, such as the PDF of an invoice beside it.
      "frame-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'referrer-policy': 'same-origin',
    ...transportSecurity(publicUrl),
  }
}

// A file that our pages show in a frame. It loads nothing, and other sites can't embed it.
export const framedFileHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'",
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'private, no-store',
} as const

function transportSecurity(publicUrl: string): Record<string, string> {
  if (!publicUrl.startsWith('https:')) return {}
  return { 'strict-transport-security': 'max-age=31536000' }
}
