// Headers that tell a browser to do nothing clever with an answer.
export function apiHeaders(publicUrl: string): Record<string, string> {
  return {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    ...transportSecurity(publicUrl),
  }
}

// Pages load nothing but our own files, and their scripts carry the nonce of this one answer.
export function pageHeaders(publicUrl: string, nonce: string): Record<string, string> {
  return {
    'cache-control': 'no-store',
    'content-security-policy': [
      "default-src 'none'",
      `script-src 'nonce-${nonce}'`,
      "style-src 'self'",
      "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    ...transportSecurity(publicUrl),
  }
}

function transportSecurity(publicUrl: string): Record<string, string> {
  if (!publicUrl.startsWith('https:')) return {}
  return { 'strict-transport-security': 'max-age=31536000' }
}
